; An exception of the parent that comes before anything has to be destroyed goes straight to the begin marker's pad; there it frees the
; temporary's memory, and the exception of the begin marker (now the spawn's) does not.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %[[T:temporary.*]] = call ptr @nopal_temporary_alloc(i64 24, i64 8)
; CHECK-NEXT:    %first = invoke i64 @g()
; CHECK-NEXT:      to label %{{.*}} unwind label %[[STRAIGHT:.*]]
; CHECK:         @__nopal_spawn
; CHECK-NEXT:      to label %{{.*}} unwind label %[[PAD:[^ ]*]]
; CHECK:       [[STRAIGHT]]:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    call void @nopal_temporary_free(ptr %[[T]])
; CHECK-NEXT:    br label %[[REST:.*]]
; CHECK:       [[PAD]]:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    br label %[[REST]]
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  %exn.slot = alloca ptr
  %temporary = alloca [3 x i64]
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0) to label %parent unwind label %begin.pad

parent:
  %first = invoke i64 @g() to label %made unwind label %begin.pad

made:
  call void @build(ptr %temporary) nounwind
  %argument = invoke i64 @g() to label %child unwind label %parent.pad

child:
  invoke void @work(ptr %temporary, i64 %argument) "nopal-spawned" to label %worked unwind label %child.pad

worked:
  call void @destroy(ptr %temporary) nounwind
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void

begin.pad:
  %begin.lp = landingpad { ptr, i32 } cleanup
  %begin.exn = extractvalue { ptr, i32 } %begin.lp, 0
  store ptr %begin.exn, ptr %exn.slot
  br label %outer

parent.pad:
  %parent.lp = landingpad { ptr, i32 } cleanup
  %parent.exn = extractvalue { ptr, i32 } %parent.lp, 0
  store ptr %parent.exn, ptr %exn.slot
  br label %cleanup

child.pad:
  %child.lp = landingpad { ptr, i32 } cleanup
  %child.exn = extractvalue { ptr, i32 } %child.lp, 0
  store ptr %child.exn, ptr %exn.slot
  br label %cleanup

cleanup:
  call void @destroy(ptr %temporary) nounwind
  br label %outer

outer:
  call void @__nopal_sync(i32 0)
  %exn = load ptr, ptr %exn.slot
  %half = insertvalue { ptr, i32 } poison, ptr %exn, 0
  %any = insertvalue { ptr, i32 } %half, i32 0, 1
  resume { ptr, i32 } %any
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @build(ptr)
declare i64 @g()
declare void @work(ptr, i64)
declare void @destroy(ptr)
