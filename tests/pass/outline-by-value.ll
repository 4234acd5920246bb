; A scalar that the parent sets for this child alone is passed by value, so the next iteration of a loop may set its own.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         store i64 %n, ptr %argument
; CHECK:       spawn:
; CHECK-NEXT:    %[[VALUE:argument.value]] = load i64, ptr %argument
; CHECK-NEXT:    call void {{.*}} @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %n, i64 %[[VALUE]])
; CHECK:       define internal void @f.spawn(i64 %n, i64 %[[VALUE]])
; CHECK:         %[[COPY:.*]] = alloca i64
; CHECK-NEXT:    store i64 %[[VALUE]], ptr %[[COPY]]
; CHECK:         %now = load i64, ptr %[[COPY]]
; CHECK-NEXT:    call void @work(i64 %now)
define void @f(i64 %n) nounwind {
  %argument = alloca i64
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  store i64 %n, ptr %argument
  br label %child

child:
  call void @first(i64 %n) "nopal-spawned"
  %now = load i64, ptr %argument
  call void @work(i64 %now)
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @first(i64)
declare void @work(i64)
