; A child that unwinds straight to its parent's pad is a plain call in the helper, which then needs no personality.
; RUN: %outline %s | FileCheck %s

; CHECK:         invoke void {{.*}} @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
; CHECK-NEXT:      to label %{{.*}} unwind label %handler
; CHECK:       define internal void @f.spawn() #{{[0-9]+}} {
; CHECK:         call void @work()
; CHECK-NEXT:    br label
; CHECK-NOT:     landingpad
; CHECK:       {{^}$}}
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0) to label %parent unwind label %handler

parent:
  invoke void @work() "nopal-spawned" to label %worked unwind label %handler

worked:
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void

handler:
  %lp = landingpad { ptr, i32 } catch ptr @type
  call void @handle() nounwind
  ret void
}

@type = external constant ptr
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work()
declare void @handle()
