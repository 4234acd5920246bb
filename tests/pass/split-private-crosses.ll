; A private temporary whose address is live across a spawn is a value with a slot: the fast clone's own alloca, or a temporary of the slow
; clone, which frees it where it ends, and leaves it to the frame's arena where the fast clone still uses it.
; (After inlining, a constructor that throws destroys a part of the temporary: in the fast clone, what a slow one has constructed.)
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %temporary = alloca [24 x i8], align 8
; CHECK:         call void @construct(ptr {{.*}}%temporary)
; CHECK:         %[[EITHER:.*]] = phi ptr {{.*}}[ %temporary,
; CHECK-NEXT:    call void @destroy(ptr %[[EITHER]])

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK-NOT:     alloca
; CHECK:         call void @nopal_temporary_free(ptr %{{.*}})
; CHECK-NEXT:    call ptr @nopal_sync(
; CHECK:         %[[STORAGE:.*]] = call ptr @nopal_temporary_alloc(i64 24, i64 8)
; CHECK:         call void @construct(ptr %[[STORAGE]])
; CHECK:         invoke void @fill()
; CHECK:         call void @nopal_temporary_free(ptr %[[STORAGE]])
; CHECK-NEXT:    call ptr @nopal_leave(
; CHECK:         store ptr %[[STORAGE]], ptr %{{.*}}
; CHECK:         call void @nopal_arena_keep(ptr {{.*}}%frame, ptr %[[STORAGE]])
; CHECK-NEXT:    call ptr @nopal_throw(
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr null) nounwind
  %temporary = call ptr @__nopal_private(i64 24, i64 8)
  call void @construct(ptr %temporary)
  invoke void @fill()
          to label %constructed unwind label %thrown

constructed:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %temporary) nounwind
  call void @__nopal_sync(i32 0)
  ret void

thrown:
  %pad = landingpad { ptr, i32 }
          cleanup
  call void @destroy(ptr %temporary)
  call void @__nopal_sync(i32 0)
  resume { ptr, i32 } %pad
}

define internal void @f.spawn(ptr %p) nounwind "nopal-helper"="f" {
  call void @use(ptr %p)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare ptr @__nopal_private(i64, i64)
declare void @construct(ptr) nounwind
declare void @destroy(ptr) nounwind
declare void @fill()
declare void @use(ptr) nounwind
declare i32 @__gxx_personality_v0(...)
