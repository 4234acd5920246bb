; A va_start that a slow clone would run is refused: it has no variable arguments. Before the spawn and after the sync it is right.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not='in function right'

; CHECK: error: {{.*}} in function wrong {{.*}}: 'va_start' after a 'cilk_spawn' is not supported; call 'va_start'
define void @wrong(ptr %list, ...) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @llvm.va_start.p0(ptr %list)
  call void @__nopal_sync(i32 0)
  ret void
}

define void @right(ptr %list, ...) noinline nounwind "nopal-spawner" {
  call void @llvm.va_start.p0(ptr %list)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  call void @llvm.va_start.p0(ptr %list)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
