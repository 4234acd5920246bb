; A variable in the return slot: its flag is false from the call on, which throws or makes it, and true again where the exception goes on, as
; the same call may destroy another object there.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         store i1 true, ptr %[[MADE:[^,]*]]
; CHECK:         call void @argument()
; CHECK:         store i1 false, ptr %[[MADE]]
; CHECK:         @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %slot, ptr %[[MADE]])
; CHECK:       begin.pad:
; CHECK-NEXT:    %begin.lp = landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    store i1 true, ptr %[[MADE]]
; CHECK:       pad:
; CHECK:         %[[FLAG:.*]] = load i1, ptr %[[MADE]]
; CHECK-NEXT:    store i1 true, ptr %[[MADE]]
; CHECK-NEXT:    br i1 %[[FLAG]], label %[[DESTROY:.*]], label
; CHECK:       [[DESTROY]]:
; CHECK-NEXT:    call void @_ZN1TD1Ev(ptr %slot)
; CHECK-LABEL: define internal void @f.spawn(
; CHECK:         call void @work(ptr
; CHECK:         store i1 true, ptr
define void @f(ptr sret(i64) %slot) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0) to label %parent unwind label %begin.pad

parent:
  call void @argument() nounwind
  invoke void @work(ptr %slot) "nopal-spawned" to label %worked unwind label %begin.pad

worked:
  call void @__nopal_made(i32 1, ptr %slot)
  call void @__nopal_end(i32 1)
  invoke void @__nopal_sync(i32 0) to label %done unwind label %pad

done:
  ret void

begin.pad:
  %begin.lp = landingpad { ptr, i32 } cleanup
  call void @__nopal_sync(i32 0)
  resume { ptr, i32 } %begin.lp

pad:
  %lp = landingpad { ptr, i32 } cleanup
  call void @_ZN1TD1Ev(ptr %slot) nounwind
  resume { ptr, i32 } %lp
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @__nopal_made(i32, ptr)
declare i32 @__gxx_personality_v0(...)
declare void @argument()
declare void @work(ptr)
declare void @_ZN1TD1Ev(ptr)
