; A helper that spawns itself (a block) is split like any function, under the name of the one it was written in, and is not inlined.
; RUN: %split %s | FileCheck %s

; CHECK: @f.site = internal constant
; CHECK: @[[F:nopal.name[.0-9]+]] = private unnamed_addr constant [2 x i8] c"f\00"
; CHECK: @f.spawn.site = internal constant {{.*}} { ptr @f.spawn.slow, ptr @[[F]], {{.*}}, i32 2, i32 5,
; CHECK-LABEL: define void @f()
; CHECK:         call void @f.spawn()
; CHECK-LABEL: define internal void @f.spawn()
; CHECK:         %nopal.frame = alloca
; CHECK:         call void @work()
; CHECK-DAG:   define internal ptr @f.slow(
; CHECK-DAG:   define internal ptr @f.spawn.slow(
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() noinline nounwind "nopal-helper"="f" "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn.spawn, ptr null, i32 2, i32 5, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare void @more() nounwind
