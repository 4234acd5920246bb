; The address of a thread-local that crosses a spawn has no slot: each clone computes it again by a call that nobody can see through.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %nopal.frame = alloca [64 x i8], align 16
; CHECK:         %address = call {{.*}}ptr @llvm.threadlocal.address.p0(ptr @counter)
; CHECK-NEXT:    call void @use(ptr {{.*}}%address)
; CHECK-NOT:     store ptr %address
; CHECK:         call void @work()
; CHECK:         call void @use(ptr {{.*}}%address)
; CHECK:         %[[SYNCED:.*]] = call ptr @nopal.thread.counter()
; CHECK-NEXT:    br
; CHECK:       [[BEHIND:.*]]:
; CHECK-NEXT:    %[[ADDRESS:.*]] = phi ptr
; CHECK-SAME:      [ %[[SYNCED]],
; CHECK-NEXT:    call void @use(ptr {{.*}}%[[ADDRESS]])
; CHECK:         call void @nopal_suspend(
; CHECK-NEXT:    call ptr @nopal.thread.counter()

; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         %[[AGAIN:.*]] = call ptr @nopal.thread.counter()
; CHECK-NEXT:    call void @use(ptr {{.*}}%[[AGAIN]])
; CHECK-NEXT:    call ptr @nopal_sync(

; CHECK-LABEL: define internal ptr @nopal.thread.counter()
; CHECK-SAME:    #[[OPAQUE:[0-9]+]]
; CHECK-NEXT:    call void asm sideeffect "", "~{memory}"()
; CHECK-NEXT:    %[[ADDRESS:.*]] = call {{.*}}ptr @llvm.threadlocal.address.p0(ptr @counter)
; CHECK-NEXT:    ret ptr %[[ADDRESS]]
; CHECK: attributes #[[OPAQUE]] = {{{.*}}noinline
@counter = thread_local global i64 0
define void @f() noinline nounwind "nopal-spawner" {
  %address = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  call void @use(ptr %address)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use(ptr %address)
  call void @__nopal_sync(i32 0)
  call void @use(ptr %address)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr) nounwind nosync
declare void @work() nounwind
