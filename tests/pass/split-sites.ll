; Each spawn has a constant that describes it, a counter of its own, and an entry in the section nopal_sites. Only the function refers to
; the site, so all three are dropped with it.
; RUN: %split %s | FileCheck %s

source_filename = "module.cpp"
@file = private constant [6 x i8] c"a.cpp\00"
; CHECK: @file = private constant
; CHECK: @[[F:nopal.name[.0-9]*]] = private unnamed_addr constant [2 x i8] c"f\00"
; CHECK: @f.steals = internal global [8 x i64] zeroinitializer, {{.*}}align 64
; Slow clone, function, file, line, column, case of the switch, no frame address, counter, bound of the frame, distance to the entry,
; and a zero.
; CHECK: @f.site = internal constant { ptr, ptr, ptr, i32, i32, i32, i32, ptr, i32, i32, i64 }
; CHECK-SAME: { ptr @f.slow, ptr @[[F]], ptr @file, i32 12, i32 7, i32 0, i32 0, ptr @f.steals, i32 4096,
; CHECK-SAME: i32 trunc (i64 sub (i64 ptrtoint (ptr @f.site.entry to i64), i64 ptrtoint (ptr @f.site to i64)) to i32), i64 0 }
; CHECK-NOT:  section
; CHECK-SAME: align 64
; CHECK: @f.site.entry = internal constant
; CHECK-SAME: i32 trunc (i64 sub (i64 ptrtoint (ptr @f.site to i64), i64 ptrtoint (ptr @f.site.entry to i64)) to i32)
; CHECK-SAME: section "nopal_sites", {{.*}}align 4, !associated ![[SITE:[0-9]+]]
; A spawn whose file is not known has that of the module.
; CHECK: @[[M:nopal.name[.0-9]*]] = private unnamed_addr constant [11 x i8] c"module.cpp\00"
; CHECK: @[[F:nopal.name[.0-9]*]] = private unnamed_addr constant [2 x i8] c"f\00"
; CHECK: @[[STEALS:f.steals[.0-9]+]] = internal global
; CHECK: @f.site{{[.0-9]+}} = internal constant
; CHECK-SAME: { ptr @f.slow, ptr @[[F]], ptr @[[M]], i32 13, i32 9, i32 1, i32 0, ptr @[[STEALS]], i32 4096,
; CHECK-NOT: @llvm{{.*}}used
; CHECK: ![[SITE]] = !{ptr @f.site}
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
