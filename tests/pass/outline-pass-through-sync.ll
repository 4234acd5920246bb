; A sync in a try block that is no region has a pad of its own: with the clauses of what is around the try statement, and the cleanups up to
; its handlers, which are left out; of two try blocks, one in the other, too, and out of the function. The markers go.
; RUN: %outline %s | FileCheck %s

; CHECK-NOT:     @__nopal_try
; CHECK-NOT:     @__nopal_pass_through_sync
; CHECK-LABEL: define void @one()
; CHECK:         invoke void @call(ptr %object)
; CHECK-NEXT:      to label %called unwind label %inner.pad
; CHECK:         invoke void @__nopal_sync(i32 0)
; CHECK-NEXT:      to label %synced unwind label %[[PAD:.*]]
; CHECK:       inner.pad:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr @inner
; CHECK:       [[PAD]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:      catch ptr @outer
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    store ptr %[[EXN]], ptr %exn.slot
; CHECK-NEXT:    br label %[[CLEANUP:.*]]
; CHECK:       [[CLEANUP]]:
; CHECK-NEXT:    call void @destroy(ptr %object)
; CHECK-NEXT:    br label %[[OUTSIDE:.*]]
; CHECK:       [[OUTSIDE]]:
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    store ptr %[[EXN]], ptr %exn.slot
; CHECK-NEXT:    br label %outer.dispatch
define void @one() personality ptr @__gxx_personality_v0 {
entry:
  %exn.slot = alloca ptr
  %object = alloca i64
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0) to label %parent unwind label %outer.pad

parent:
  invoke void @work() "nopal-spawned" to label %worked unwind label %outer.pad

worked:
  call void @__nopal_end(i32 1)
  invoke void @__nopal_try_begin(i32 2, i32 0) to label %try unwind label %outer.pad

try:
  invoke void @__nopal_try_body(i32 2) to label %body unwind label %try.pad

body:
  invoke void @call(ptr %object) to label %called unwind label %inner.pad

called:
  invoke void @__nopal_pass_through_sync(i32 0, i32 2) to label %synced unwind label %inner.pad

synced:
  call void @destroy(ptr %object) nounwind
  br label %done

try.pad:
  %try.lp = landingpad { ptr, i32 } catch ptr @inner catch ptr @outer
  %try.exn = extractvalue { ptr, i32 } %try.lp, 0
  store ptr %try.exn, ptr %exn.slot
  br label %inner.dispatch

inner.pad:
  %inner.lp = landingpad { ptr, i32 } catch ptr @inner catch ptr @outer
  %inner.exn = extractvalue { ptr, i32 } %inner.lp, 0
  store ptr %inner.exn, ptr %exn.slot
  br label %cleanup

cleanup:
  call void @destroy(ptr %object) nounwind
  br label %inner.dispatch

inner.dispatch:
  call void @handle(i32 1) nounwind
  br label %done

outer.pad:
  %outer.lp = landingpad { ptr, i32 } catch ptr @outer
  %outer.exn = extractvalue { ptr, i32 } %outer.lp, 0
  store ptr %outer.exn, ptr %exn.slot
  br label %outer.dispatch

outer.dispatch:
  call void @handle(i32 2) nounwind
  br label %done

done:
  ret void
}

; The cleanup between the two try blocks, and none of their handlers.
; CHECK-LABEL: define void @two()
; CHECK:         invoke void @__nopal_sync(i32 0)
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:.*]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup{{$}}
; CHECK-NEXT:    br label %[[BETWEEN:.*]]
; CHECK:       [[BETWEEN]]:
; CHECK-NEXT:    call void @destroy(ptr %object)
; CHECK-NEXT:    br label %[[OUTSIDE:.*]]
; CHECK:       [[OUTSIDE]]:
; CHECK-NEXT:    resume { ptr, i32 } %[[LP]]
define void @two() personality ptr @__gxx_personality_v0 {
entry:
  %object = alloca i64
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_try_begin(i32 2, i32 0)
  invoke void @__nopal_try_body(i32 2) to label %body unwind label %outer.pad

body:
  invoke void @call(ptr %object) to label %made unwind label %outer.pad

made:
  invoke void @__nopal_try_begin(i32 3, i32 2) to label %try unwind label %between.pad

try:
  invoke void @__nopal_try_body(i32 3) to label %inner.body unwind label %inner.pad

inner.body:
  invoke void @__nopal_pass_through_sync(i32 0, i32 3) to label %synced unwind label %inner.pad

synced:
  call void @destroy(ptr %object) nounwind
  br label %done

inner.pad:
  %inner.lp = landingpad { ptr, i32 } catch ptr @inner catch ptr @outer
  br label %inner.dispatch

inner.dispatch:
  call void @handle(i32 1) nounwind
  br label %done

between.pad:
  %between.lp = landingpad { ptr, i32 } cleanup catch ptr @outer
  call void @destroy(ptr %object) nounwind
  br label %outer.dispatch

outer.pad:
  %outer.lp = landingpad { ptr, i32 } catch ptr @outer
  br label %outer.dispatch

outer.dispatch:
  call void @handle(i32 2) nounwind
  br label %done

done:
  ret void
}

@inner = external constant ptr
@outer = external constant ptr
declare i32 @__gxx_personality_v0(...)
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_try_begin(i32, i32)
declare void @__nopal_try_body(i32)
declare void @__nopal_pass_through_sync(i32, i32)
declare void @work()
declare void @call(ptr)
declare void @handle(i32)
declare void @destroy(ptr)
