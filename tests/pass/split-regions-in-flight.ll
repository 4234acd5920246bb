; With two regions a sync that an exception passes lets it meet the exceptions that are kept for the region, and the handlers find the one that wins.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %exn.slot = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK:         %selector.slot = getelementptr {{.*}}i8, ptr %nopal.frame, i64 72
; CHECK-DAG:     invoke void @nopal_merge_pending(ptr {{.*}}%nopal.frame, ptr %{{.*}}, i32 1)
; CHECK-DAG:     to label %merged{{[0-9]*}} unwind label %[[PAD:merge.pad]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:      catch ptr @type
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    store ptr %[[EXN]], ptr %exn.slot
; CHECK-NEXT:    %[[SELECTOR:.*]] = extractvalue { ptr, i32 } %[[LP]], 1
; CHECK-NEXT:    store i32 %[[SELECTOR]], ptr %selector.slot
; CHECK-NOT:     __nopal_sync
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  %exn.slot = alloca ptr
  %selector.slot = alloca i32
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.loud, ptr null, i32 1, i32 1, i32 1) to label %cont unwind label %pad

cont:
  invoke void @more() to label %end unwind label %pad

end:
  call void @__nopal_sync(i32 1)
  br label %handled

pad:
  %lp = landingpad { ptr, i32 } cleanup catch ptr @type
  %lp.exn = extractvalue { ptr, i32 } %lp, 0
  store ptr %lp.exn, ptr %exn.slot
  %lp.selector = extractvalue { ptr, i32 } %lp, 1
  store i32 %lp.selector, ptr %selector.slot
  call void @__nopal_sync_in_flight(i32 1, ptr %exn.slot, ptr %selector.slot)
  %exn = load ptr, ptr %exn.slot
  %object = call ptr @__cxa_begin_catch(ptr %exn)
  call void @__cxa_end_catch()
  br label %handled

handled:
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(i32 %i) nounwind "nopal-helper"="f" {
  call void @work(i32 %i)
  ret void
}

define internal void @f.loud() "nopal-helper"="f" {
  call void @more()
  ret void
}

@type = external constant ptr
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @__nopal_sync_in_flight(i32, ptr, ptr)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr) nounwind
declare void @__cxa_end_catch() nounwind
declare void @work(i32) nounwind
declare void @more()
