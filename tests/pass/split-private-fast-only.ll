; A private temporary that is live across a spawn, but that no slow clone makes, is the fast clone's own alloca; a slow clone has nothing to free.
; RUN: %split %s | FileCheck %s --implicit-check-not=nopal_temporary --implicit-check-not=nopal_arena

; CHECK-LABEL: define void @f()
; CHECK:         %temporary = alloca [24 x i8], align 8
; CHECK:         call void @construct(ptr {{.*}}%temporary)
; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         invoke void @fill()
; CHECK:         call ptr @nopal_throw(
define void @f() noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
  %temporary = call ptr @__nopal_private(i64 24, i64 8)
  call void @construct(ptr %temporary)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %temporary) nounwind
  invoke void @fill()
          to label %filled unwind label %thrown

filled:
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
