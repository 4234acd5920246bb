; A sync in a function without a spawn is erased, call or invoke, whether its module spawns or not.
; RUN: %split %s | FileCheck %s --implicit-check-not='{{call|invoke}} void @__nopal_'
; RUN: sed '/^; PEER-BEGIN/,/^; PEER-END/d' %s > %t.ll
; RUN: %split < %t.ll | FileCheck %s --implicit-check-not='{{call|invoke}} void @__nopal_' --implicit-check-not=register

; CHECK-LABEL: define void @idle()
; CHECK-NEXT:    call void @work()
; CHECK:         call void @work()
; CHECK:         ret void
; CHECK-NOT:     landingpad
; CHECK:       {{^}$}}
define void @idle() personality ptr @__gxx_personality_v0 {
  call void @__nopal_sync(i32 0)
  call void @work()
  invoke void @__nopal_sync(i32 0) to label %done unwind label %cleanup

done:
  call void @work()
  ret void

cleanup:
  %raised = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %raised
}

; PEER-BEGIN
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
; PEER-END
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work() nounwind
