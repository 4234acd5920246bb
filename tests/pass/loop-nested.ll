; A loop in a loop's body is called from the outer leaf, and a leaf that spawns is a spawner with a sync of its own: both may change the thread.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         call void @[[OUTER:f.leaf[.0-9]*]](i64 %n, i64 0, i64 %n)
; CHECK-NOT:     @__nopal_spawn
; CHECK:         ret void
; CHECK:       define internal void @[[INNER:.*]](i64 %{{.*}}, i64 %{{.*}}) #[[SPAWNER:[0-9]+]]
; CHECK:         call void {{.*}} @__nopal_spawn(ptr @{{.*}}.spawn
; CHECK:         call void @__nopal_sync(i32 0)
; CHECK-NEXT:    ret void
; CHECK:       define internal void @[[OUTER]](i64 %n, i64 %{{.*}}, i64 %{{.*}}) #[[MIGRATES:[0-9]+]]
; CHECK-DAG:     call void @[[INNER]](i64 0, i64 %n)
; CHECK-DAG:     @__nopal_loop(ptr @[[INNER]],
; CHECK-DAG:   attributes #[[SPAWNER]] = { {{.*}}"nopal-helper"="f" "nopal-migrates" "nopal-spawner"
; CHECK-DAG:   attributes #[[MIGRATES]] = { nounwind "nopal-helper"="f" "nopal-migrates" }
define void @f(i64 %n) nounwind {
  call void @__nopal_loop_begin(i32 1, ptr null, i32 1, i32 1, i32 0, i64 %n, i64 0)
  call void @__nopal_loop_begin(i32 2, ptr null, i32 2, i32 1, i32 0, i64 %n, i64 0)
  call void @__nopal_begin(i32 3, ptr null, i32 3, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 3)
  call void @__nopal_loop_end(i32 2)
  call void @__nopal_loop_end(i32 1)
  ret void
}

declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare i64 @__nopal_loop_low(i32) nounwind
declare i64 @__nopal_loop_high(i32) nounwind
declare void @__nopal_loop_end(i32) nounwind
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @work()
