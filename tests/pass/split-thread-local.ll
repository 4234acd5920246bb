; After a spawn and a sync the address of a thread-local is read by an opaque call; before them it costs nothing. An
; address that the program keeps is kept.
; RUN: %split %s | FileCheck %s
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-split,function(early-cse,gvn)' -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %first = call {{.*}}ptr @llvm.threadlocal.address.p0(ptr @counter)
; CHECK-NEXT:    call void @use(ptr {{.*}}%first)
; CHECK-NOT:     store ptr
; CHECK:         call void @work()
; CHECK:         %second = call ptr @nopal.thread.counter()
; CHECK-NEXT:    call void @use(ptr {{.*}}%second)
; CHECK:         %third = call ptr @nopal.thread.counter()
; CHECK-NEXT:    call void @use(ptr {{.*}}%third)

; CHECK-LABEL: define i1 @kept()
; CHECK:         %before = call ptr @nopal.thread.counter()
; CHECK:         store ptr %before, ptr
; CHECK:         call void @work()

; CHECK-LABEL: define i1 @tested(
; CHECK:         %before = call ptr @nopal.thread.counter()
; CHECK-NEXT:    %same = icmp eq ptr %before, %p
; CHECK:         store i1 %same, ptr
; CHECK:         call void @work()

; CHECK-LABEL: define internal ptr @nopal.thread.counter()
; CHECK-SAME:    #[[OPAQUE:[0-9]+]]
; CHECK-NEXT:    call void asm sideeffect "", "~{memory}"()
; CHECK-NEXT:    %[[ADDRESS:.*]] = call {{.*}}ptr @llvm.threadlocal.address.p0(ptr @counter)
; CHECK-NEXT:    ret ptr %[[ADDRESS]]

; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         %second = call ptr @nopal.thread.counter()
; CHECK-NEXT:    call void @use(ptr {{.*}}%second)
; CHECK-NEXT:    call ptr @nopal_sync(

; CHECK-LABEL: define internal ptr @kept.slow(
; CHECK:         %[[KEPT:.*]] = load ptr, ptr
; CHECK:         %later = call ptr @nopal.thread.counter()
; CHECK-NEXT:    %same = icmp eq ptr %[[KEPT]], %later
; CHECK: attributes #[[OPAQUE]] = {{{.*}}noinline
@counter = thread_local global i64 0
define void @f() noinline nounwind "nopal-spawner" {
  %first = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  call void @use(ptr %first)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %second = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  call void @use(ptr %second)
  call void @__nopal_sync(i32 0)
  %third = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  call void @use(ptr %third)
  ret void
}

define i1 @kept() noinline nounwind "nopal-spawner" {
  %before = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @kept.spawn, ptr null, i32 1, i32 1, i32 0)
  %later = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  %same = icmp eq ptr %before, %later
  call void @__nopal_sync(i32 0)
  ret i1 %same
}

define i1 @tested(ptr %p) noinline nounwind "nopal-spawner" {
  %before = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  %same = icmp eq ptr %before, %p
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @tested.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  ret i1 %same
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

define internal void @kept.spawn() nounwind "nopal-helper"="kept" {
  call void @work()
  ret void
}

define internal void @tested.spawn() nounwind "nopal-helper"="tested" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr) nounwind nosync
declare void @work() nounwind
