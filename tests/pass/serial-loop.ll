; A cilk_for becomes a serial loop over leaves whose size the tool chooses; an exception ends leaf and loop.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-lower-serially,nopal-split' -verify-each -S %s | FileCheck %s

@file = private constant [6 x i8] c"a.cpp\00"

; CHECK-LABEL: define void @f(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %[[MOST:.*]] = call i64 @nopal_hook_loop(ptr @f.loop.hooks, i64 %n, i64 0, i64 1)
; CHECK-NEXT:    %[[NONE:.*]] = icmp eq i64 %n, 0
; CHECK-NEXT:    br i1 %[[NONE]], label %loop.end, label %leaf
; CHECK:       leaf:
; CHECK-NEXT:    %lo = phi i64 [ 0, %entry ], [ %hi, %leaf.end ]
; CHECK-NEXT:    %[[REST:.*]] = sub i64 %n, %lo
; CHECK-NEXT:    %[[MORE:.*]] = icmp ugt i64 %[[REST]], %[[MOST]]
; CHECK-NEXT:    %[[NEXT:.*]] = add i64 %lo, %[[MOST]]
; CHECK-NEXT:    %hi = select i1 %[[MORE]], i64 %[[NEXT]], i64 %n
; CHECK-NEXT:    call void @nopal_hook_leaf(ptr @f.loop.hooks, i64 %lo, i64 %hi)
; CHECK-NEXT:    invoke void @f.leaf(ptr %p, i64 %lo, i64 %hi)
; CHECK-NEXT:            to label %leaf.end unwind label %[[THROWN:.*]]
; CHECK:       leaf.end:
; CHECK-NEXT:    call void @nopal_hook_leaf_end(ptr @f.loop.hooks)
; CHECK-NEXT:    %[[AGAIN:.*]] = icmp ult i64 %hi, %n
; CHECK-NEXT:    br i1 %[[AGAIN]], label %leaf, label %loop.end
; CHECK:       loop.end:
; CHECK-NEXT:    call void @nopal_hook_loop_end(ptr @f.loop.hooks)
; CHECK:         ret void
; CHECK:       [[THROWN]]:
; CHECK:         call void @nopal_hook_leaf_end(ptr @f.loop.hooks)
; CHECK-NEXT:    call void @nopal_hook_loop_end(ptr @f.loop.hooks)
; CHECK-NOT:   nopal_hook_leave
define void @f(ptr %p, i64 %n) personality ptr @__gxx_personality_v0 {
entry:
  invoke void (...) @__nopal_loop(ptr @f.leaf, ptr @file, i32 7, i32 3, i64 %n, i64 0, ptr %p)
          to label %end unwind label %pad
end:
  ret void
pad:
  %e = landingpad { ptr, i32 } catch ptr null
  ret void
}

define internal void @f.leaf(ptr %p, i64 %lo, i64 %hi) "nopal-helper"="f" {
  call void @other()
  ret void
}

declare void @other()
declare void @__nopal_loop(...)
declare i32 @__gxx_personality_v0(...)
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"nopal-serial", i32 1}
