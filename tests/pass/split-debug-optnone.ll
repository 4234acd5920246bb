; Without optimization every local is in the frame, and slow clones and helpers keep their arguments on the stack for a debugger, with -g and
; without it.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %before = getelementptr inbounds i8, ptr %nopal.frame, i64 64
; CHECK-LABEL: define internal void @f.spawn(ptr %x)
; CHECK:         %[[HOME:.*]] = alloca ptr
; CHECK-NEXT:    store ptr %x, ptr %[[HOME]]
; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %frame.addr = alloca ptr
; CHECK-NEXT:    store ptr %frame, ptr %frame.addr
define void @f() noinline nounwind optnone "nopal-spawner" {
  %before = alloca i64
  %x = alloca i64
  store i64 1, ptr %before
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %x)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %x)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(ptr %x) noinline nounwind optnone "nopal-helper"="f" {
  call void @work(ptr %x)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(ptr) nounwind
declare void @more() nounwind
