; Where a local of a statement lives: one that is also used outside is the parent's, one of the child alone is the helper's.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK-NEXT:    %parents = alloca [2 x i64]
; CHECK-NOT:     ptr %childs
; CHECK:         @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %parents)
; CHECK:       define internal void @f.spawn(ptr %parents)
; CHECK:         %childs = alloca [3 x i64]
; CHECK-NOT:     alloca
; CHECK:         call void @work(ptr %parents, ptr %childs)
; CHECK-NEXT:    call void @use(ptr %childs)
define void @f() nounwind {
  %parents = alloca [2 x i64]
  %childs = alloca [3 x i64]
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr %parents, ptr %childs) "nopal-spawned"
  call void @use(ptr %childs)
  call void @__nopal_end(i32 1)
  call void @use(ptr %parents)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work(ptr, ptr)
declare void @use(ptr)
