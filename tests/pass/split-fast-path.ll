; The fast path is inlined: only calls of cold code are left of it, and no function.
; RUN: %split %s | FileCheck %s --implicit-check-not='@nopal_fast_'

; CHECK-LABEL: define void @f()
; CHECK:         store i64 0, ptr
; CHECK-NEXT:    store i64 ptrtoint (ptr @f.site to i64), ptr %nopal.frame
; CHECK-NEXT:    call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0"
; CHECK:         br i1 %{{.*}}, label %{{.*}}, label %{{.*}}, !prof
; CHECK:         call {{.*}}void @nopal_push_slow(ptr {{.*}}%nopal.frame)
; CHECK:         store atomic i64 %{{.*}}, ptr %{{.*}} release
; CHECK:         call void @work()
; CHECK:         call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0"
; CHECK:         fence syncscope("singlethread") seq_cst
; CHECK:         call {{.*}}i32 @nopal_pop_slow(ptr {{.*}}%nopal.frame)
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
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
declare void @more() nounwind
