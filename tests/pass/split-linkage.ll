; A function that several modules may have keeps its slow clone, its sites, their counters and entries in its own group; the fast clone keeps name, type and ABI.
; RUN: %split %s | FileCheck %s

$f = comdat any
; CHECK: @f.steals = internal global {{.*}}, comdat($f), align 64
; CHECK: @f.site = internal constant {{.*}}, comdat($f), align 64
; CHECK: @f.site.entry = internal constant {{.*}}, section "nopal_sites", {{.*}}comdat($f), align 4, !associated
; CHECK: define weak_odr hidden fastcc void @f(ptr noalias sret(i64) %out, i32 signext %n) #{{[0-9]+}} comdat
; CHECK: define internal ptr @f.slow(ptr %frame) unnamed_addr #{{[0-9]+}} comdat($f)
define weak_odr hidden fastcc void @f(ptr noalias sret(i64) %out, i32 signext %n) noinline nounwind "nopal-spawner" comdat {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  store i64 1, ptr %out
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
