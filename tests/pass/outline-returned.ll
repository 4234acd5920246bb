; An object that is returned is destroyed if a sync behind it raises, outside of the handlers that the return statement leaves.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %[[FLAG:.*]] = alloca i1
; CHECK:         store i1 false, ptr %[[FLAG]]
; CHECK:         call void @_ZN1TC1Ev(ptr %slot)
; CHECK-NEXT:    store i1 true, ptr %[[FLAG]]
; CHECK-NEXT:    br label %out
; CHECK:       out:
; CHECK-NEXT:    invoke void @__nopal_sync(i32 1)
; CHECK-NEXT:      to label %left unwind label %pad
; CHECK:       left:
; The sync of a variable that lies in the slot itself.
; CHECK-NEXT:    invoke void @__nopal_sync(i32 2)
; CHECK-NEXT:      to label %last unwind label %own.pad
; CHECK:       last:
; CHECK-NEXT:    invoke void @__nopal_sync(i32 0)
; CHECK-NEXT:      to label %{{.*}} unwind label %[[NEW:.*]]
; CHECK:       pad:
; CHECK-NEXT:    landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:      catch ptr @type
; CHECK-NEXT:    %[[IS:.*]] = load i1, ptr %[[FLAG]]
; CHECK-NEXT:    br i1 %[[IS]], label %[[DESTROY:.*]], label %[[ON:.*]]
; CHECK:       [[DESTROY]]:
; CHECK-NEXT:    store i1 false, ptr %[[FLAG]]
; CHECK-NEXT:    call void @_ZN1TD1Ev(ptr %slot)
; CHECK-NEXT:    br label %[[ON]]
; CHECK:       [[ON]]:
; CHECK-NEXT:    call ptr @__cxa_begin_catch
; CHECK:       own.pad:
; CHECK-NEXT:    landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    store i1 false, ptr %[[FLAG]]
; CHECK-NEXT:    call void @_ZN1TD1Ev(ptr %slot)
; CHECK-NEXT:    resume
; CHECK:       [[NEW]]:
; CHECK-NEXT:    landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    load i1, ptr %[[FLAG]]
; CHECK:         store i1 false, ptr %[[FLAG]]
; CHECK-NEXT:    call void @_ZN1TD1Ev(ptr %slot)
; CHECK:         resume
; CHECK-NOT:     __nopal_returned(ptr %slot)
define void @f(ptr %slot) personality ptr @__gxx_personality_v0 {
entry:
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 1) to label %parent unwind label %pad

parent:
  invoke void @work() coro_elide_safe to label %worked unwind label %pad

worked:
  call void @__nopal_end(i32 1)
  call void @_ZN1TC1Ev(ptr %slot)
  invoke void @__nopal_returned(ptr %slot) to label %out unwind label %inner.pad

out:
  invoke void @__nopal_sync(i32 1) to label %left unwind label %pad

left:
  invoke void @__nopal_sync(i32 2) to label %last unwind label %own.pad

last:
  call void @__nopal_sync(i32 0)
  ret void

inner.pad:
  %inner.lp = landingpad { ptr, i32 } catch ptr null
  call void @_ZN1TD1Ev(ptr %slot)
  br label %inner.handler

inner.handler:
  call ptr @__cxa_begin_catch(ptr null)
  call void @__cxa_end_catch()
  br label %out

pad:
  %lp = landingpad { ptr, i32 } catch ptr @type
  call ptr @__cxa_begin_catch(ptr null)
  call void @_ZN1TC1Ev(ptr %slot)
  call void @__cxa_end_catch()
  br label %last

own.pad:
  %own.lp = landingpad { ptr, i32 } cleanup
  call void @_ZN1TD1Ev(ptr %slot)
  resume { ptr, i32 } %own.lp
}

@type = external constant ptr
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @__nopal_returned(ptr)
declare i32 @__gxx_personality_v0(...)
declare ptr @__cxa_begin_catch(ptr)
declare void @__cxa_end_catch()
declare void @work()
declare void @_ZN1TC1Ev(ptr)
declare void @_ZN1TD1Ev(ptr)
