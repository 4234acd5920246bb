; Each spawn has a site in section nopal_sites: slow clone, function, file, line, column, case of the switch, no frame address, no steals, the bound of the frame, and two zeros.
; RUN: %split %s | FileCheck %s

source_filename = "module.cpp"
@file = private constant [6 x i8] c"a.cpp\00"
; CHECK: @file = private constant
; CHECK: @[[F:nopal.name[.0-9]*]] = private unnamed_addr constant [2 x i8] c"f\00"
; CHECK: @f.site = internal global { ptr, ptr, ptr, i32, i32, i32, i32, i64, i32, i32, i64 }
; CHECK-SAME: { ptr @f.slow, ptr @[[F]], ptr @file, i32 12, i32 7, i32 0, i32 0, i64 0, i32 4096, i32 0, i64 0 }
; CHECK-SAME: section "nopal_sites", align 64
; A spawn whose file is not known has that of the module.
; CHECK: @[[M:nopal.name[.0-9]*]] = private unnamed_addr constant [11 x i8] c"module.cpp\00"
; CHECK: @[[F:nopal.name[.0-9]*]] = private unnamed_addr constant [2 x i8] c"f\00"
; CHECK: @f.site{{[.0-9]+}} = internal global
; CHECK-SAME: { ptr @f.slow, ptr @[[F]], ptr @[[M]], i32 13, i32 9, i32 1, i32 0, i64 0, i32 4096, i32 0, i64 0 }
; CHECK-SAME: section "nopal_sites", align 64
; CHECK-LABEL: define void @f()
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr @file, i32 12, i32 7, i32 0)
  call void @work()
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 13, i32 9, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
