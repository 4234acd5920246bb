; A sync that an exception runs on its way to a handler gets the variables that hold that exception; one that no exception runs does not.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:       done:
; CHECK-NEXT:    call void @__nopal_sync(i32 2)
; CHECK:       begin.pad:
; CHECK:         call void @__nopal_sync_in_flight(i32 2, ptr %exn.slot, ptr %ehselector.slot)
; CHECK-NEXT:    br label %catch
; CHECK:       catch:
; CHECK-NEXT:    %exn = load ptr, ptr %exn.slot
; CHECK:         call ptr @__cxa_begin_catch(
; CHECK:       handled:
; CHECK-NEXT:    call void @__nopal_sync(i32 0)
; CHECK-NEXT:    ret void
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  %exn.slot = alloca ptr
  %ehselector.slot = alloca i32
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 2) to label %parent unwind label %begin.pad

parent:
  invoke void @work() "nopal-spawned" to label %worked unwind label %begin.pad

worked:
  call void @__nopal_end(i32 1)
  br label %done

done:
  call void @__nopal_sync(i32 2)
  br label %handled

begin.pad:
  %lp = landingpad { ptr, i32 } cleanup catch ptr null
  %lp.exn = extractvalue { ptr, i32 } %lp, 0
  store ptr %lp.exn, ptr %exn.slot
  %lp.selector = extractvalue { ptr, i32 } %lp, 1
  store i32 %lp.selector, ptr %ehselector.slot
  call void @__nopal_sync(i32 2)
  br label %catch

catch:
  %exn = load ptr, ptr %exn.slot
  %object = call ptr @__cxa_begin_catch(ptr %exn)
  call void @__cxa_end_catch()
  br label %handled

handled:
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare void @work()
