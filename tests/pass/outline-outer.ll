; A variable that only a spawned statement uses is each execution's own, unless the front-end says that it is declared outside: then it is
; shared by reference, in a block (1) and in a leaf (2). What is declared outside of an inner statement (3) may be the outer one's own (4).
; RUN: %outline %s | FileCheck %s
; RUN: %outline %s | not grep 'call.*__nopal_outer'

; CHECK-LABEL: define void @f()
; CHECK:         %shared = alloca [2 x i64]
; CHECK:         @__nopal_spawn(ptr @f.spawn, {{.*}}, ptr %shared)
; CHECK:         @__nopal_loop(ptr @f.leaf, {{.*}}, ptr %shared2)
define void @f() nounwind {
  %shared = alloca [2 x i64]
  %own = alloca [3 x i64]
  %shared2 = alloca [4 x i64]
  call void @__nopal_outer(i32 1, ptr %shared)
  call void @__nopal_block_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr %shared, ptr %own)
  call void @__nopal_end(i32 1)
  call void @__nopal_outer(i32 2, ptr %shared2)
  call void @__nopal_loop_begin(i32 2, ptr null, i32 1, i32 1, i32 0, i64 10, i64 0)
  call void @work(ptr %shared2, ptr null)
  call void @__nopal_loop_end(i32 2)
  call void @__nopal_sync(i32 0)
  ret void
}

; CHECK-LABEL: define void @g()
; CHECK:         @__nopal_spawn(ptr @[[OUTER:g.spawn.1]], {{.*}}, i32 0)
; CHECK:       define internal void @f.spawn(ptr %shared)
; CHECK:         %own = alloca [3 x i64]
; CHECK:         call void @work(ptr %shared, ptr %own)
; CHECK:       define internal void @g.spawn(ptr %between)
; CHECK:       define internal void @[[OUTER]]()
; CHECK:         %between = alloca [5 x i64]
; CHECK:         @__nopal_spawn(ptr @g.spawn, {{.*}}, ptr %between)
define void @g() nounwind {
  %between = alloca [5 x i64]
  call void @__nopal_block_begin(i32 4, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_outer(i32 3, ptr %between)
  call void @__nopal_block_begin(i32 3, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr %between, ptr null)
  call void @__nopal_end(i32 3)
  call void @__nopal_sync(i32 0)
  call void @__nopal_end(i32 4)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_outer(i32, ptr)
declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare void @__nopal_loop_end(i32)
declare void @__nopal_sync(i32)
declare void @work(ptr, ptr)
