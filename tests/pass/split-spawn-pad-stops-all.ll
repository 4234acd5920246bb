; The landing pad of a spawn stops every exception, whatever its handlers catch: the pop must run.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         invoke void @work()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:.*]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:      catch ptr @type
; CHECK-NEXT:    call preserve_mostcc {{.*}}i1 @nopal_fast_pop(
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0) to label %cont unwind label %handler

cont:
  call void @__nopal_sync(i32 0)
  ret void

handler:
  %caught = landingpad { ptr, i32 } catch ptr @type
  call void @handle()
  ret void
}

define internal void @f.spawn() "nopal-helper"="f" {
  call void @work()
  ret void
}

@type = external constant ptr
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work()
declare void @handle() nounwind
