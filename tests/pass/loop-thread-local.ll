; After a loop the thread may be another one, also in a function without a spawn: the address of a thread-local is read by a call there.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i32 @f(
; CHECK:         %x = call ptr @llvm.threadlocal.address.p0(ptr @tl)
; CHECK-NEXT:    store i32 1, ptr %x
; CHECK:         call void @f.loop(
; CHECK:         %[[AGAIN:.*]] = call ptr @nopal.thread.tl()
; CHECK:         load i32, ptr %[[AGAIN]]
; CHECK-NOT:     %x
; CHECK-LABEL: define i32 @caught(
; CHECK:         invoke void @f.loop(
; CHECK:         call ptr @nopal.thread.tl()
; CHECK:         ret i32
; CHECK:         landingpad
; CHECK-NEXT:            catch ptr null
; CHECK:         call ptr @nopal.thread.tl()
; CHECK-LABEL: define i32 @without(
; CHECK-NEXT:    %x = call ptr @llvm.threadlocal.address.p0(ptr @tl)
; CHECK:       define internal ptr @nopal.thread.tl()
define i32 @f(i64 %n) nounwind {
  %x = call ptr @llvm.threadlocal.address.p0(ptr @tl)
  store i32 1, ptr %x
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 %n, i64 0) nounwind
  %y = call ptr @llvm.threadlocal.address.p0(ptr @tl)
  %r = load i32, ptr %y
  ret i32 %r
}

define i32 @caught(i64 %n) personality ptr @__gxx_personality_v0 {
  %x = call ptr @llvm.threadlocal.address.p0(ptr @tl)
  store i32 1, ptr %x
  invoke void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 %n, i64 0)
          to label %done unwind label %pad

done:
  %y = call ptr @llvm.threadlocal.address.p0(ptr @tl)
  %r = load i32, ptr %y
  ret i32 %r

pad:
  %caught = landingpad { ptr, i32 }
          catch ptr null
  %z = call ptr @llvm.threadlocal.address.p0(ptr @tl)
  %h = load i32, ptr %z
  ret i32 %h
}

define i32 @without() nounwind {
  %x = call ptr @llvm.threadlocal.address.p0(ptr @tl)
  %r = load i32, ptr %x
  ret i32 %r
}

define internal void @f.leaf(i64 %lo, i64 %hi) {
  call void @use(i64 %lo, i64 %hi)
  ret void
}

@tl = thread_local global i32 0
declare i32 @__gxx_personality_v0(...)
declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
declare void @use(i64, i64)
