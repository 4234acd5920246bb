; A handler after a spawn that is no region of its own: its exception waits for the children but takes none of their exceptions.
; RUN: %split %s | FileCheck %s
;
; 16777214 is the number of no region.

; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         invoke void @more()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[KEEP:.*]]
; CHECK:       [[KEEP]]:
; CHECK:         call ptr @nopal_throw(ptr {{.*}}%frame, ptr %{{.*}}, i32 1, i32 16777214)
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  invoke void @more() to label %end unwind label %handler

end:
  call void @__nopal_sync(i32 0)
  ret void

handler:
  %caught = landingpad { ptr, i32 } catch ptr null
  %exn = extractvalue { ptr, i32 } %caught, 0
  %object = call ptr @__cxa_begin_catch(ptr %exn)
  call void @__cxa_end_catch()
  br label %end
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr) nounwind
declare void @__cxa_end_catch() nounwind
declare void @work() nounwind
declare void @more()
