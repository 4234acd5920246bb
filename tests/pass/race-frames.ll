; A path that neither accesses memory nor calls anything does not report its frame to the race detector.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-instrument-race -verify-each -S %s | FileCheck %s

@site = global i64 0

; CHECK-LABEL: define i64 @f(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %small = icmp slt i64 %n, 2
; CHECK-NEXT:    br i1 %small, label %[[OTHER:.*]], label %body
; CHECK:       body:
; CHECK-NEXT:    %[[RETURN:.*]] = call ptr @llvm.returnaddress(i32 0)
; CHECK-NEXT:    call void @__nopal_race_enter(ptr %[[RETURN]], ptr @f, ptr @site)
; CHECK:         br label %out
; CHECK:       out:
; CHECK-NEXT:    %r = phi i64 [ %x, %{{.*}} ]
; CHECK-NEXT:    call void @__nopal_race_leave(ptr @site)
; CHECK-NEXT:    ret i64 %r
; CHECK:       [[OTHER]]:
; CHECK-NEXT:    phi i64 [ %n, %entry ]
; CHECK-NEXT:    ret i64
define i64 @f(i64 %n, ptr %p) {
entry:
  call void @nopal_hook_enter(ptr @site)
  %small = icmp slt i64 %n, 2
  br i1 %small, label %out, label %body
body:
  call void @g()
  %x = load i64, ptr %p
  br label %out
out:
  %r = phi i64 [ %n, %entry ], [ %x, %body ]
  call void @nopal_hook_leave(ptr @site)
  ret i64 %r
}

; What the loop needs is said before it, once.
; CHECK-LABEL: define void @loop(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    br i1 %any, label %before, label %out
; CHECK:       before:
; CHECK-NEXT:    %[[RETURN:.*]] = call ptr @llvm.returnaddress(i32 0)
; CHECK-NEXT:    call void @__nopal_race_func_entry(ptr %[[RETURN]], ptr @loop)
; CHECK-NEXT:    br label %again
; CHECK:       done:
; CHECK-NEXT:    call void @__tsan_func_exit()
; CHECK-NEXT:    ret void
; CHECK:       out:
; CHECK-NEXT:    ret void
define void @loop(i1 %any, i1 %more) {
entry:
  br i1 %any, label %before, label %out
before:
  br label %again
again:
  call void @g()
  br i1 %more, label %again, label %done
done:
  ret void
out:
  ret void
}

; A way out that the calls are on by some paths alone, and that is no return, keeps them at the start.
; CHECK-LABEL: define void @mixed(
; CHECK-NEXT:  entry:
; CHECK:         call void @__tsan_func_entry(
; CHECK-NEXT:    br i1 %any
define void @mixed(i1 %any, i1 %more) {
entry:
  br i1 %any, label %body, label %join
body:
  call void @g()
  br label %join
join:
  br i1 %more, label %one, label %other
one:
  ret void
other:
  ret void
}

; A copy of a few bytes is told as a load and a store.
; CHECK-LABEL: define void @copy(
; CHECK-NOT:     memcpy
; CHECK:         call void @__tsan_{{(unaligned_)?}}read16(ptr %from)
; CHECK:         call void @__tsan_{{(unaligned_)?}}write16(ptr %to)
define void @copy(ptr %to, ptr %from) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 16, i1 false)
  ret void
}

declare void @g() nounwind
declare void @nopal_hook_enter(ptr) nounwind
declare void @nopal_hook_leave(ptr) nounwind

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"nopal-race", i32 1}
