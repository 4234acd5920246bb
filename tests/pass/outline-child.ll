; The flagged call of a statement that spawns no call is a marker: the code after it is the child's, the values before it are the parent's. The marker is removed.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %operand = load i64, ptr %n
; CHECK-NOT:     @__nopal_child
; CHECK:         call void {{.*}}@__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, {{.*}}i64 %operand
; CHECK:       {{^}$}}
; CHECK-LABEL: define void @never(
; CHECK-NOT:     @__nopal_
; CHECK:         call ptr @allocate(i64 1)
; CHECK-NEXT:    unreachable
; CHECK-LABEL: define internal void @f.spawn(
; CHECK-NOT:     @__nopal_child
; CHECK:         %memory = call ptr @allocate(i64 %operand)
; CHECK:         store ptr %memory, ptr %
; CHECK:         ret void
define void @f(ptr %n, ptr %p) nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  %operand = load i64, ptr %n
  call void @__nopal_child() #0
  %memory = call ptr @allocate(i64 %operand)
  store ptr %memory, ptr %p
  call void @__nopal_end(i32 1)
  store i64 0, ptr %n
  call void @__nopal_sync(i32 0)
  ret void
}

; One that never ends is done in place, without the marker.
define void @never() nounwind {
  call void @__nopal_begin(i32 2, ptr null, i32 2, i32 2, i32 0)
  call void @__nopal_child() #0
  %memory = call ptr @allocate(i64 1)
  unreachable
}

attributes #0 = { "nopal-spawned" nounwind }
declare ptr @allocate(i64)
declare void @__nopal_child()
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
