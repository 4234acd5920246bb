; A handler inside a block goes into the helper and still catches there; the clause of a handler around the block does not.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK-NOT:     @inner
; CHECK:         invoke void {{.*}} @__nopal_spawn(ptr @f.spawn,
; CHECK-NOT:     @inner
; CHECK:       begin.pad:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr @outer.type
; CHECK:       define internal void @f.spawn()
; CHECK:         invoke void @work()
; CHECK-NEXT:      to label %{{.*}} unwind label %block.pad
; CHECK:       end:
; CHECK-NEXT:    br label %child.done
; CHECK:       block.pad:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:      catch ptr @inner.type
; CHECK-NOT:       catch ptr @outer.type
; CHECK:         br i1 %{{.*}}, label %caught, label %child.raise
; CHECK:       caught:
; CHECK-NEXT:    call void @inner()
; CHECK-NEXT:    br label %end
; CHECK:       child.raise:
; CHECK:         resume
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  %selector.slot = alloca i32
  invoke void @__nopal_block_begin(i32 1, ptr null, i32 1, i32 1, i32 0) to label %block unwind label %begin.pad

block:
  invoke void @work() to label %end unwind label %block.pad

block.pad:
  %block.lp = landingpad { ptr, i32 } catch ptr @inner.type catch ptr @outer.type
  %selector = extractvalue { ptr, i32 } %block.lp, 1
  store i32 %selector, ptr %selector.slot
  %inner = call i32 @llvm.eh.typeid.for.p0(ptr @inner.type)
  %matches = icmp eq i32 %selector, %inner
  br i1 %matches, label %caught, label %handler

caught:
  call void @inner() nounwind
  br label %end

end:
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void

begin.pad:
  %begin.lp = landingpad { ptr, i32 } catch ptr @outer.type
  %begin.selector = extractvalue { ptr, i32 } %begin.lp, 1
  store i32 %begin.selector, ptr %selector.slot
  br label %handler

handler:
  %any = load i32, ptr %selector.slot
  call void @outer(i32 %any) nounwind
  ret void
}

@inner.type = external constant ptr
@outer.type = external constant ptr
declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work()
declare void @inner()
declare void @outer(i32)
