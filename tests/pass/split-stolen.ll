; A pop that fails suspends the fast clone, which continues where frame->resume says, with values from the frame.
; RUN: %split %s | FileCheck %s
;
; Two syncs give numbers 0 and 1, in the function's order.

; CHECK-LABEL: define void @f(
; CHECK:         call void @work()
; CHECK:         %[[POPPED:.*]] = call {{.*}}i32 @nopal_pop_slow(ptr {{.*}}%nopal.frame)
; CHECK-NEXT:    %[[GONE:.*]] = icmp eq i32 %[[POPPED]], 0
; CHECK-NEXT:    br i1 %[[GONE]], label %[[STOLEN:.*]], label %{{.*}}, !prof
; CHECK:       call void @more(i64 1)
; CHECK:       call void @more(i64 2)
; CHECK:       [[STOLEN]]:
; CHECK-NEXT:    call void @nopal_suspend(ptr {{.*}}%nopal.frame)
; CHECK-NEXT:    %[[RESUME:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 56
; CHECK-NEXT:    %where = load i32, ptr %[[RESUME]]
; CHECK-NEXT:    switch i32 %where, label %never [
; CHECK-NEXT:      i32 0, label %[[AT0:.*]]
; CHECK-NEXT:      i32 1, label %[[AT1:.*]]
; CHECK-NEXT:    ]
; CHECK:       [[AT0]]:
; CHECK:         load i64,
; CHECK-NEXT:    br label
; CHECK:       [[AT1]]:
; CHECK:         load i64,
; CHECK-NEXT:    br label

; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         call void @more(i64 1)
; CHECK-NEXT:    call ptr @nopal_sync(ptr {{.*}}%frame, i32 0)
; CHECK:         call void @more(i64 2)
; CHECK-NEXT:    call ptr @nopal_sync(ptr {{.*}}%frame, i32 1)
define void @f(i64 %n, i1 %c) noinline nounwind "nopal-spawner" {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  br i1 %c, label %one, label %two

one:
  call void @more(i64 1)
  call void @__nopal_sync(i32 0)
  call void @use(i64 %n)
  ret void

two:
  call void @more(i64 2)
  call void @__nopal_sync(i32 0)
  call void @use(i64 %n)
  br label %end

end:
  call void @use(i64 7)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare void @more(i64) nounwind
declare void @use(i64) nounwind
