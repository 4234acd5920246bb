; A label keeps dead code alive in Clang's output, but not the begin of the try statement around it. Unreachable code is gone
; before the handlers are looked for, so there is no complaint.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NEXT:    ret void
; CHECK-NEXT:  }
define void @f() personality ptr @__gxx_personality_v0 {
  ret void

again:
  invoke void @__nopal_pass_through_sync(i32 0, i32 1) to label %done unwind label %pad

pad:
  %lp = landingpad { ptr, i32 } catch ptr null
  br label %again

done:
  ret void
}

declare i32 @__gxx_personality_v0(...)
declare void @__nopal_pass_through_sync(i32, i32)
