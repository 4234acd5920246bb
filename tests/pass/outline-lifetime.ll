; A helper has no lifetime markers of its parent's locals, and keeps those of its own.
; Not on LLVM 19: this IR is LLVM 22's own.
; UNSUPPORTED: llvm-19
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define internal void @f.spawn(
; CHECK-NOT:     llvm.lifetime.{{.*}}%parents
; CHECK:         call void @llvm.lifetime.start.p0(ptr %childs)
; CHECK:         call void @work(ptr %parents, ptr %childs)
; CHECK:         call void @llvm.lifetime.end.p0(ptr %childs)
; CHECK-NOT:     llvm.lifetime.{{.*}}%parents
; CHECK:       {{^}$}}
define void @f() nounwind {
  %parents = alloca [2 x i64]
  %childs = alloca [3 x i64]
  call void @use(ptr %parents)
  call void @__nopal_block_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @llvm.lifetime.start.p0(ptr %childs)
  call void @work(ptr %parents, ptr %childs)
  call void @llvm.lifetime.end.p0(ptr %childs)
  call void @llvm.lifetime.end.p0(ptr %parents)
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @use(ptr)
declare void @work(ptr, ptr)
