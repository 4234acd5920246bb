; Two calls of a function that returns the address of a thread-local are not merged: the thread may change in between.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-outline,cgscc(function-attrs),function(early-cse,gvn)' -verify-each -S %s | FileCheck %s
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-outline,function(nopal-thread-bound),cgscc(function-attrs),function(early-cse,gvn)' -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %before = call ptr @mine()
; CHECK:         %later = call ptr @mine()
; CHECK-NEXT:    call void @use(ptr %later)
@counter = thread_local global i64 0
define ptr @mine() noinline nounwind {
  %address = call ptr @llvm.threadlocal.address.p0(ptr @counter)
  ret ptr %address
}

define void @f() nounwind {
  %before = call ptr @mine()
  call void @use(ptr %before)
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  %later = call ptr @mine()
  call void @use(ptr %later)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @use(ptr)
declare void @work()
