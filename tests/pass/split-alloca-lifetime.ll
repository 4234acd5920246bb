; The lifetime markers of an alloca that moves into the frame go: the frame lives as a whole.
; Not on LLVM 19: this IR is LLVM 22's own.
; UNSUPPORTED: llvm-19
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK-NEXT:    %nopal.frame = alloca
; CHECK-NEXT:    %local = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NOT:     llvm.lifetime
; CHECK:       {{^}$}}
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:     llvm.lifetime
; CHECK:         ret ptr
define void @f() noinline nounwind "nopal-spawner" {
  %local = alloca i64
  call void @llvm.lifetime.start.p0(ptr %local)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %local)
  call void @more()
  call void @__nopal_sync(i32 0)
  call void @use(ptr %local)
  call void @llvm.lifetime.end.p0(ptr %local)
  ret void
}

define internal void @f.spawn(ptr %p) nounwind "nopal-helper"="f" {
  call void @use(ptr %p)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr) nounwind
declare void @more() nounwind
