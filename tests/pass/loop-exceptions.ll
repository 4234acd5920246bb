; A body that throws unwinds out of the leaf; both calls that replace the loop unwind to the pad of its begin marker.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:       loop.small:
; CHECK-NEXT:    invoke void @f.leaf(i64 0, i64 %n)
; CHECK-NEXT:            to label %[[END:.*]] unwind label %outer
; CHECK:       loop.divide:
; CHECK-NEXT:    invoke void {{.*}} @__nopal_loop(ptr @f.leaf,
; CHECK-NEXT:            to label %[[END]] unwind label %outer
; CHECK:       outer:
; CHECK:         call void @handle(i32 1)
; CHECK:       define internal void @f.leaf(
; CHECK:         invoke void @work()
; CHECK-NEXT:            to label %{{.*}} unwind label %inner
; CHECK:       inner:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:            cleanup
; CHECK:         call void @destroy()
; CHECK:         br label %child.raise
; CHECK:       child.raise:
; CHECK:         resume
define void @f(i64 %n) personality ptr @__gxx_personality_v0 {
  invoke void @__nopal_loop_begin(i32 1, ptr null, i32 1, i32 1, i32 0, i64 %n, i64 0)
          to label %leaf unwind label %outer

leaf:
  invoke void @work()
          to label %worked unwind label %inner

worked:
  call void @__nopal_loop_end(i32 1)
  ret void

inner:
  %thrown = landingpad { ptr, i32 }
          cleanup
          catch ptr null
  call void @destroy()
  br label %handler

outer:
  %caught = landingpad { ptr, i32 }
          catch ptr null
  call void @handle(i32 1)
  br label %handler

handler:
  call void @handle(i32 0)
  ret void
}

declare i32 @__gxx_personality_v0(...)
declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare i64 @__nopal_loop_low(i32) nounwind
declare i64 @__nopal_loop_high(i32) nounwind
declare void @__nopal_loop_end(i32) nounwind
declare void @work()
declare void @destroy() nounwind
declare void @handle(i32) nounwind
