; Spawns whose exceptions take the same path share one landing pad in each clone, and one number at which it is raised again; ordinary calls share another.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-COUNT-1: call preserve_mostcc {{.*}}i1 @nopal_fast_pop(
; CHECK:         switch i32 %where, label %never [
; CHECK-NEXT:      i32 0,
; CHECK-NEXT:      i32 1,
; CHECK-NEXT:      i32 2,
; CHECK-NEXT:      i32 3,
; CHECK-NEXT:    ]
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-COUNT-1: = landingpad
; CHECK-COUNT-1: = landingpad
; CHECK-NOT:     = landingpad
; CHECK-LABEL: define {{.*}}@nopal_fast_p
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0) to label %a unwind label %cleanup

a:
  invoke void @more() to label %b unwind label %cleanup

b:
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 2, i32 1, i32 0) to label %c unwind label %cleanup

c:
  invoke void @more() to label %d unwind label %cleanup

d:
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 3, i32 1, i32 0) to label %e unwind label %cleanup

e:
  call void @__nopal_sync(i32 0)
  ret void

cleanup:
  %caught = landingpad { ptr, i32 } cleanup
  call void @destroy()
  resume { ptr, i32 } %caught
}

define internal void @f.spawn() noinline "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work()
declare void @more()
declare void @destroy() nounwind
