; A variable that the child constructs is destroyed on an exceptional path only if the child has constructed it.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         store i1 false, ptr %[[MADE:[^,]*]]
; CHECK:         @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %x, ptr %[[MADE]])
; CHECK:       done:
; CHECK-NEXT:    call void @_ZN1TD1Ev(ptr %x)
; CHECK:       pad:
; CHECK:         %[[FLAG:.*]] = load i1, ptr %[[MADE]]
; CHECK:         br i1 %[[FLAG]], label %[[DESTROY:.*]], label %[[ON:.*]]
; CHECK:       [[DESTROY]]:
; CHECK-NEXT:    call void @_ZN1TD1Ev(ptr %x)
; CHECK-NEXT:    br label %[[ON]]
; CHECK:       [[ON]]:
; CHECK-NEXT:    resume
; CHECK-LABEL: define internal void @f.spawn(
; CHECK:         call void @work(ptr %x)
; CHECK-NEXT:    br label
; CHECK-NOT:     call
; CHECK:         store i1 true, ptr %[[MADE]]
; CHECK-NOT:     __nopal_made
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  %x = alloca i64
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0) to label %parent unwind label %begin.pad

parent:
  invoke void @work(ptr %x) "nopal-spawned" to label %worked unwind label %begin.pad

worked:
  call void @__nopal_made(i32 1, ptr %x)
  call void @__nopal_end(i32 1)
  invoke void @__nopal_sync(i32 0) to label %done unwind label %pad

done:
  call void @_ZN1TD1Ev(ptr %x) nounwind
  ret void

begin.pad:
  %begin.lp = landingpad { ptr, i32 } cleanup
  call void @__nopal_sync(i32 0)
  resume { ptr, i32 } %begin.lp

pad:
  %lp = landingpad { ptr, i32 } cleanup
  call void @_ZN1TD1Ev(ptr %x) nounwind
  resume { ptr, i32 } %lp
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @__nopal_made(i32, ptr)
declare i32 @__gxx_personality_v0(...)
declare void @work(ptr)
declare void @_ZN1TD1Ev(ptr)
