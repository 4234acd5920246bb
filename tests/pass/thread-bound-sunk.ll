; A value computed from the address of a thread-local before a sync uses the address there, wherever the optimizer moves the computation.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='default<O2>' -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define i1 @f(
; CHECK:         %[[BEFORE:.*]] = call ptr @nopal.thread.counter()
; CHECK-NEXT:    %[[THERE:.*]] = {{.*}}call ptr @mine()
; CHECK-NOT:     call {{.*}} @nopal.thread
; CHECK:         ret i1

; So is one that comes with a function that is inlined, and it is another than the one after the sync.
; CHECK-LABEL: define void @g()
; CHECK-COUNT-2: call ptr @nopal.thread.counter()
; CHECK:         ret void
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         call ptr @nopal.thread.counter()
; CHECK-NOT:     call {{.*}} @nopal.thread
; CHECK:         call ptr @nopal_sync(
; CHECK-LABEL: define internal ptr @g.slow(
; CHECK:         call ptr @nopal.thread.counter()
; CHECK:         call ptr @nopal_sync(
@counter = thread_local global i64 0
declare ptr @mine()
define i1 @f(i1 %c) nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  %address = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  %there = call ptr @mine()
  %same = icmp eq ptr %address, %there
  call void @__nopal_sync(i32 0)
  br i1 %c, label %asked, label %end

asked:
  ret i1 %same

end:
  ret i1 false
}

define internal ptr @inlined() nounwind alwaysinline {
  %address = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  ret ptr %address
}

define void @g() nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  %before = call ptr @inlined()
  store volatile i64 1, ptr %before
  call void @__nopal_sync(i32 0)
  %later = call ptr @inlined()
  store volatile i64 2, ptr %later
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
