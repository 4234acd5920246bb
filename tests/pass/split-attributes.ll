; Attributes that splitting makes false are removed from both clones; the slow one is cold, is not inlined and never unwinds.
; RUN: %split %s | FileCheck %s

; CHECK: define void @f() #[[FAST:[0-9]+]]
; (What is said of arguments and of the result does not hold for the slow clone, which has others; nor is it hot.)
; CHECK: define ptr @hot_allocator({{.*}} #[[HOT:[0-9]+]]
; CHECK: define internal ptr @f.slow(ptr %frame) unnamed_addr #[[SLOW:[0-9]+]]
; CHECK: define internal ptr @hot_allocator.slow(ptr %frame) unnamed_addr #[[SLOW_HOT:[0-9]+]]
; CHECK-DAG: attributes #[[FAST]] = { noinline nounwind "target-cpu"="x86-64-v3" }
; CHECK-DAG: attributes #[[SLOW]] = { cold noinline nounwind "target-cpu"="x86-64-v3" }
; CHECK-DAG: attributes #[[HOT]] = { hot noinline nounwind allockind("alloc") allocsize(0) }
; CHECK-DAG: attributes #[[SLOW_HOT]] = { cold noinline nounwind }
define void @f() noinline nounwind willreturn nosync nofree norecurse memory(argmem: write) "target-cpu"="x86-64-v3" "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define ptr @hot_allocator(i64 %bytes) noinline nounwind hot allocsize(0) allockind("alloc") "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret ptr null
}

define internal void @f.spawn() nounwind "target-cpu"="x86-64-v3" "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
