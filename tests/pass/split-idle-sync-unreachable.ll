; Without a spawn in its function no sync is left, even in an unreachable block.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT:     @__nopal_sync
; CHECK:       define void @g(
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @__nopal_sync(i32 0)
          to label %done unwind label %pad
dead:                                             ; No predecessors!
  invoke void @__nopal_sync(i32 0)
          to label %done unwind label %pad
dead2:                                            ; No predecessors!
  invoke void @__nopal_sync(i32 0)
          to label %done unwind label %pad
done:
  call void @__nopal_sync(i32 0)
  ret void
pad:
  %exception = landingpad { ptr, i32 }
          cleanup
  resume { ptr, i32 } %exception
}

define void @g() {
  ret void
}

declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
