; After a call that may return on another thread the address of a thread-local is read by a call that stays there, in functions that do not
; spawn, too.
; RUN: %split %s | FileCheck %s
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-split,function(early-cse,gvn)' -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @serial()
; CHECK-NEXT:    %address = call {{.*}}ptr @llvm.threadlocal.address.p0(ptr @counter)
; CHECK-NEXT:    store i64 1, ptr %address
; CHECK-NEXT:    call void @leads_to_a_spawn()
; CHECK-NEXT:    %[[AGAIN:.*]] = call ptr @nopal.thread.counter()
; CHECK-NEXT:    store i64 2, ptr %[[AGAIN]]
; CHECK-NEXT:    ret void
@counter = thread_local global i64 0
@array = thread_local global [4 x i64] zeroinitializer
define void @serial() nounwind {
  %address = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  store i64 1, ptr %address
  call void @leads_to_a_spawn()
  %again = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  store i64 2, ptr %again
  ret void
}

; In a loop, where the thread may have changed in the iteration before.
; CHECK-LABEL: define void @loop(
; CHECK:       body:
; CHECK-NEXT:    %address = call ptr @nopal.thread.array()
; CHECK-NEXT:    %part = getelementptr i64, ptr %address, i64 %n
; CHECK-NEXT:    store i64 1, ptr %part
; CHECK-NEXT:    call void %unknown()
define void @loop(i1 %again, i64 %n, ptr %unknown) nounwind {
  br label %body

body:
  %address = call ptr @llvm.threadlocal.address.p0(ptr @array)
  %part = getelementptr i64, ptr %address, i64 %n
  store i64 1, ptr %part
  call void %unknown()
  br i1 %again, label %body, label %end

end:
  ret void
}

; What is made from it before such a call and used after: a code generator may do the making after the call, so the address is fixed before it.
; CHECK-LABEL: define i1 @made_in_front(
; CHECK:         %address = call ptr @nopal.thread.counter()
; CHECK-NEXT:    %same = icmp eq ptr %address, %p
; CHECK-NEXT:    call void @external()
; CHECK-NEXT:    ret i1 %same
define i1 @made_in_front(ptr %p) nounwind {
  %address = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  %same = icmp eq ptr %address, %p
  call void @external()
  ret i1 %same
}

; Two computations around a call stay two.
; CHECK-LABEL: define void @twice()
; CHECK:         call {{.*}}ptr @llvm.threadlocal.address.p0(ptr @counter)
; CHECK:         call void @external()
; CHECK-NEXT:    call ptr @nopal.thread.counter()
define void @twice() nounwind {
  %before = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  store i64 1, ptr %before
  call void @external()
  %later = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  store i64 2, ptr %later
  ret void
}

; A call that stays on its thread costs nothing.
; CHECK-LABEL: define void @harmless(
; CHECK-NOT:     nopal.thread
; CHECK:         ret void
define void @harmless(ptr %text) nounwind {
  %address = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  store i64 1, ptr %address
  call void @defined_here()
  %length = call i64 @strlen(ptr %text)
  call void @local() nosync
  store i64 %length, ptr %address
  ret void
}

; The helper of a spawn is inlined after what its spawner has run before.
; CHECK-LABEL: define void @spawner()
; CHECK:         call void @external()
; CHECK:         call ptr @nopal.thread.counter()
; CHECK-NEXT:    store i64 3,
define void @spawner() noinline nounwind "nopal-spawner" {
  call void @external()
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawner.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @spawner.spawn() nounwind "nopal-helper"="spawner" {
  %address = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  store i64 3, ptr %address
  ret void
}

define void @leads_to_a_spawn() noinline nounwind {
  call void @spawns()
  ret void
}

define void @spawns() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawns.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @spawns.spawn() nounwind "nopal-helper"="spawns" {
  call void @external()
  ret void
}

define void @defined_here() noinline nounwind {
  %value = load volatile i64, ptr null
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @external() nounwind
declare void @local()
declare i64 @strlen(ptr)
