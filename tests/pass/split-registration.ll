; A module with sites registers them once from a constructor, which refers to the symbol of the ABI's version. The bounds are weak: the linker may drop all sites.
; RUN: %split %s | FileCheck %s

; CHECK: @__start_nopal_sites = extern_weak hidden global i8
; CHECK: @__stop_nopal_sites = extern_weak hidden global i8
; CHECK: @nopal_abi_version_[[#]] = external global i8
; CHECK: @llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @nopal.register, ptr null }]
; CHECK-LABEL: define internal void @nopal.register()
; CHECK-NEXT:    load volatile i8, ptr @nopal_abi_version_[[#]]
; CHECK-NEXT:    call void @nopal_register_sites(ptr @__start_nopal_sites, ptr @__stop_nopal_sites)
; CHECK-NEXT:    ret void
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define void @g() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

define internal void @g.spawn() nounwind "nopal-helper"="g" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
