; A call was marked "tail" while a private temporary was no alloca: the mark says that it uses none, so it is removed, in both clones. (With
; -flto the optimizer would believe it, and forget what the call stores into the temporary.)
; RUN: %split %s | FileCheck %s

; CHECK-NOT:   {{ tail}} call
; CHECK-LABEL: define void @f(
; CHECK:         %temporary = alloca [24 x i8], align 8
; CHECK:         {{^ +}}call void @construct(ptr {{.*}}%temporary)
; CHECK-NOT:   {{ tail}} call

; Where there is no such temporary, it stays.
; CHECK-LABEL: define void @without(
; CHECK:         tail call void @construct(ptr %{{.*}})

; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:   {{ tail}} call
; CHECK:         {{^ +}}call void @construct(
; CHECK-NOT:   {{ tail}} call
; CHECK-LABEL: define internal ptr @without.slow(

define void @f(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %temporary = tail call ptr @__nopal_private(i64 24, i64 8)
  tail call void @construct(ptr %temporary)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %temporary)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

define void @without(ptr %p) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %p)
  tail call void @construct(ptr %p)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(ptr %p) nounwind "nopal-helper"="f" {
  call void @use(ptr %p)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare ptr @__nopal_private(i64, i64)
declare void @construct(ptr)
declare void @use(ptr)
