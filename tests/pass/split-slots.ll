; A value that lives across a spawn gets a slot; one that does not, does not.
; RUN: %split %s | FileCheck %s
;
; The header takes 64 bytes; %crosses is used after the spawn, %before only before it, %after is made after it.

; CHECK-LABEL: define i64 @f(
; CHECK:         %nopal.frame = alloca [72 x i8], align 16
; CHECK:         %crosses = mul i64 %n, 3
; CHECK-NEXT:    %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i64 %crosses, ptr %[[SLOT]], align 8
; CHECK-NOT:     ptr %nopal.frame, i64 {{[6-9][0-9]}}
; CHECK:         call void @work(i64 %before)
; CHECK-NOT:     ptr %nopal.frame, i64 {{[6-9][0-9]}}
; CHECK:         %[[AGAIN:.*]] = load i64, ptr %[[SLOT]], align 8
; CHECK-NEXT:    %after = call i64 @more()
; CHECK-NEXT:    %result = add i64 %after, %[[AGAIN]]

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %[[SLOT:.*]] = getelementptr {{.*}}i8, ptr %frame, i64 64
; CHECK-NEXT:    %[[CROSSES:.*]] = load i64, ptr %[[SLOT]], align 8
; CHECK:         %after{{.*}} = call i64 @more()
; CHECK-NEXT:    %result{{.*}} = add i64 %after{{.*}}, %[[CROSSES]]
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" {
  %before = xor i64 %n, 5
  %crosses = mul i64 %n, 3
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %before)
  %after = call i64 @more()
  %result = add i64 %after, %crosses
  call void @use(i64 %result)
  call void @__nopal_sync(i32 0)
  ret i64 0
}

define internal void @f.spawn(i64 %n) nounwind "nopal-helper"="f" {
  call void @work(i64 %n)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i64) nounwind
declare i64 @more() nounwind
declare void @use(i64) nounwind
