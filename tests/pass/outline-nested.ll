; A spawn inside a block is outlined out of the block's helper, which becomes a spawner itself; both know the function's name.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         @__nopal_spawn(ptr @[[OUTER:f.spawn[.0-9]*]], ptr null, i32 1, i32 1, i32 0)
; CHECK-NOT:     @__nopal_spawn(
; CHECK:       {{^}$}}
; CHECK-DAG:   define internal void @[[OUTER]]() #[[SPAWNER:[0-9]+]]
; CHECK-DAG:   @__nopal_spawn(ptr @[[INNER:f.spawn[.0-9]*]], ptr null, i32 2, i32 3, i32 0)
; CHECK-DAG:   define internal void @[[INNER]]() #[[HELPER:[0-9]+]]
; CHECK-DAG:   call void @work()
; CHECK-DAG:   attributes #[[SPAWNER]] = { noinline nounwind "nopal-helper"="f" "nopal-spawner" }
; CHECK-DAG:   attributes #[[HELPER]] = { nounwind "nopal-helper"="f" }
define void @f() nounwind {
  call void @__nopal_block_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_begin(i32 2, ptr null, i32 2, i32 3, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 2)
  call void @more()
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
declare void @more()
