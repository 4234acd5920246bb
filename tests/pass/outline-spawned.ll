; The call after __nopal_spawned is the child's, over branches, intrinsics and the sanitizer's own calls; the marker is removed. A folded call leaves none.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-spawned-calls -S %s | FileCheck %s --implicit-check-not="call void @__nopal_spawned"

; CHECK-LABEL: define void @plain(
; CHECK:         call void @other(){{$}}
; CHECK:         call void @work() #[[SPAWNED:[0-9]+]]
; CHECK:         call void @other(){{$}}
define void @plain() nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @other()
  call void @__nopal_spawned()
  call void @work()
  call void @other()
  call void @__nopal_end(i32 1)
  ret void
}

; A member through a pointer: its address is chosen on two ways.
; CHECK-LABEL: define void @branches(
; CHECK:         call void @__ubsan_handle_nonnull_arg(ptr null){{$}}
; CHECK:         call void %callee() #[[SPAWNED]]
define void @branches(i1 %virtual, ptr %p, ptr %q) nounwind {
  call void @__nopal_begin(i32 2, ptr null, i32 2, i32 2, i32 0)
  call void @__nopal_spawned()
  br i1 %virtual, label %left, label %right
left:
  call void @llvm.assume(i1 true)
  br label %both
right:
  call void @__ubsan_handle_nonnull_arg(ptr null)
  br label %both
both:
  %callee = phi ptr [ %p, %left ], [ %q, %right ]
  call void %callee()
  call void @__nopal_end(i32 2)
  ret void
}

; CHECK-LABEL: define void @invoked(
; CHECK:         invoke void @work() #[[SPAWNED]]
define void @invoked() personality ptr @personality {
  call void @__nopal_begin(i32 3, ptr null, i32 3, i32 3, i32 0)
  call void @__nopal_spawned()
  invoke void @work() to label %done unwind label %pad
done:
  call void @__nopal_end(i32 3)
  ret void
pad:
  %exception = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %exception
}

; CHECK-LABEL: define void @folded(
; CHECK-NOT:     #[[SPAWNED]]
; CHECK:         call void @other(){{$}}
define void @folded() nounwind {
  call void @__nopal_begin(i32 4, ptr null, i32 4, i32 4, i32 0)
  call void @__nopal_spawned()
  call void @__nopal_end(i32 4)
  call void @other()
  ret void
}

; CHECK: attributes #[[SPAWNED]] = { "nopal-spawned" }
declare void @work()
declare void @other()
declare void @llvm.assume(i1)
declare void @__ubsan_handle_nonnull_arg(ptr)
declare i32 @personality(...)
declare void @__nopal_spawned()
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
