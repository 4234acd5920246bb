; The address of errno is a thread's own, although its function is declared to be const: two calls around a spawn stay two.
; RUN: %split %s | FileCheck %s
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-split,early-cse,gvn -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define i32 @f()
; CHECK:         %before = call ptr @__errno_location()
; CHECK:         call void @work()
; CHECK:         %later = call ptr @nopal.thread.__errno_location()
; CHECK-NEXT:    %value = load i32, ptr %later
; CHECK-LABEL: define internal ptr @nopal.thread.__errno_location()
; CHECK:         call ptr @__errno_location()
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         call ptr @nopal.thread.__errno_location()
define i32 @f() noinline nounwind "nopal-spawner" {
  %before = call ptr @__errno_location() memory(none)
  store i32 0, ptr %before
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %later = call ptr @__errno_location() memory(none)
  %value = load i32, ptr %later
  call void @use(i32 %value)
  call void @__nopal_sync(i32 0)
  ret i32 0
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare ptr @__errno_location() nounwind memory(none)
declare void @use(i32) nounwind
declare void @work() nounwind
