; The cleanup of the child's temporaries goes into the helper and raises on there; the parent's handler stays, and the marker unwinds to it.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK-NOT:     @destroy
; CHECK:         invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
; CHECK-NEXT:      to label %{{.*}} unwind label %begin.pad
; CHECK-NOT:     @destroy
; CHECK:       begin.pad:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr @type
; CHECK:         call void @handle()
; CHECK-NOT:     @destroy
; CHECK:       {{^}$}}

; CHECK:       define internal void @f.spawn() {{.*}} personality ptr @__gxx_personality_v0
; CHECK:         %temporary = alloca i64
; CHECK:         invoke void @work(ptr %temporary)
; CHECK-NEXT:      to label %{{.*}} unwind label %child.pad
; CHECK-NOT:     @handle
; CHECK:       child.pad:
; CHECK-NEXT:    %child.lp = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    store { ptr, i32 } %child.lp, ptr %child.exception
; CHECK-NEXT:    call void @destroy(ptr %temporary)
; CHECK-NEXT:    br label %child.raise
; CHECK:       child.raise:
; CHECK-NEXT:    %[[EXN:.*]] = load { ptr, i32 }, ptr %child.exception
; CHECK-NEXT:    resume { ptr, i32 } %[[EXN]]
; CHECK-NOT:     @handle
; CHECK:       {{^}$}}
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  %temporary = alloca i64
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0) to label %parent unwind label %begin.pad

parent:
  invoke void @work(ptr %temporary) "nopal-spawned" to label %worked unwind label %child.pad

worked:
  call void @destroy(ptr %temporary) nounwind
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  br label %done

done:
  ret void

child.pad:
  %child.lp = landingpad { ptr, i32 } catch ptr @type
  call void @destroy(ptr %temporary) nounwind
  br label %handler

begin.pad:
  %begin.lp = landingpad { ptr, i32 } catch ptr @type
  br label %handler

handler:
  call void @handle() nounwind
  br label %done
}

@type = external constant ptr
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @work(ptr)
declare void @destroy(ptr)
declare void @handle()
