; Accesses of locals that no child can touch are not told to the race detector; all others are.
; Lifetimes have one operand there, as since LLVM 22.
; UNSUPPORTED: llvm-19
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-instrument-race -verify-each -S %s | FileCheck %s

@site = global i64 0

; x = cilk_spawn child(); the sync; read x. The end of the function waits in place of the sync.
; CHECK-LABEL: define i64 @result(
; CHECK:         call void @__nopal_race_spawn(ptr @site, ptr @result.spawn)
; CHECK-NOT:     race_read
; CHECK:         call void @__nopal_race_leave(ptr @site)
; CHECK-NEXT:    load i64, ptr %x
; CHECK-NEXT:    ret i64
define i64 @result() {
  %x = alloca i64
  call void @nopal_hook_enter(ptr @site)
  call void @nopal_hook_spawn(ptr @site)
  call void @result.spawn(ptr %x)
  call void @nopal_hook_return(ptr @site)
  call void @nopal_hook_sync(ptr @site)
  %v = load i64, ptr %x
  call void @nopal_hook_leave(ptr @site)
  ret i64 %v
}
; CHECK-LABEL: define internal void @result.spawn(
; CHECK-NOT:     @__tsan_func
; CHECK-NOT:     race_write
; CHECK:         ret void
define internal void @result.spawn(ptr %to) "nopal-helper"="result" {
  %v = call i64 @g()
  store i64 %v, ptr %to
  ret void
}

; Without the sync the child and what follows it race.
; CHECK-LABEL: define i64 @unsynced(
; CHECK:         call void @__nopal_race_read8(ptr %x)
; CHECK-LABEL: define internal void @unsynced.spawn(
; CHECK:         call void @__nopal_race_write8(ptr %to)
define i64 @unsynced() {
  %x = alloca i64
  call void @nopal_hook_enter(ptr @site)
  call void @nopal_hook_spawn(ptr @site)
  call void @unsynced.spawn(ptr %x)
  call void @nopal_hook_return(ptr @site)
  %v = load i64, ptr %x
  call void @nopal_hook_sync(ptr @site)
  call void @nopal_hook_leave(ptr @site)
  ret i64 %v
}
define internal void @unsynced.spawn(ptr %to) "nopal-helper"="unsynced" {
  %v = call i64 @g()
  store i64 %v, ptr %to
  ret void
}

; Two children of a loop race with each other. What the function reads after the sync does not.
; CHECK-LABEL: define i64 @both(
; CHECK-NOT:     race_read
; CHECK:         ret i64
; CHECK-LABEL: define internal void @both.spawn(
; CHECK:         call void @__nopal_race_write8(ptr %to)
define i64 @both(i64 %n) {
entry:
  %x = alloca i64
  call void @nopal_hook_enter(ptr @site)
  br label %again
again:
  %i = phi i64 [ 0, %entry ], [ %next, %again ]
  call void @nopal_hook_spawn(ptr @site)
  call void @both.spawn(ptr %x)
  call void @nopal_hook_return(ptr @site)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %again, label %done
done:
  call void @nopal_hook_sync(ptr @site)
  %v = load i64, ptr %x
  call void @nopal_hook_leave(ptr @site)
  ret i64 %v
}
define internal void @both.spawn(ptr %to) "nopal-helper"="both" {
  %v = call i64 @g()
  store i64 %v, ptr %to
  ret void
}

; The child passes the address on: whoever has it may race.
; CHECK-LABEL: define internal void @passed.spawn(
; CHECK:         call void @__nopal_race_write8(ptr %to)
define void @passed() {
  %x = alloca i64
  call void @nopal_hook_enter(ptr @site)
  call void @nopal_hook_spawn(ptr @site)
  call void @passed.spawn(ptr %x)
  call void @nopal_hook_return(ptr @site)
  call void @nopal_hook_sync(ptr @site)
  call void @nopal_hook_leave(ptr @site)
  ret void
}
define internal void @passed.spawn(ptr %to) "nopal-helper"="passed" {
  call void @keep(ptr %to)
  store i64 1, ptr %to
  ret void
}

; A child that may still run when the scope of its local ends: another local may have the memory.
; CHECK-LABEL: define i64 @left(
; CHECK:         call void @__nopal_race_read8(ptr %y)
; CHECK-LABEL: define internal void @left.spawn(
; CHECK:         call void @__nopal_race_write8(ptr %to)
define i64 @left() {
  %x = alloca i64
  %y = alloca i64
  call void @nopal_hook_enter(ptr @site)
  call void @keep(ptr %y)
  %v = load i64, ptr %y
  call void @llvm.lifetime.start.p0(ptr %x)
  call void @nopal_hook_spawn(ptr @site)
  call void @left.spawn(ptr %x)
  call void @nopal_hook_return(ptr @site)
  call void @llvm.lifetime.end.p0(ptr %x)
  call void @nopal_hook_sync(ptr @site)
  call void @nopal_hook_leave(ptr @site)
  ret i64 %v
}
define internal void @left.spawn(ptr %to) "nopal-helper"="left" {
  %v = call i64 @g()
  store i64 %v, ptr %to
  ret void
}

; Others know of the local, but nothing runs beside its function.
; CHECK-LABEL: define i64 @alone(
; CHECK-NOT:     race_read
; CHECK:         ret i64
define i64 @alone() {
  %x = alloca i64
  call void @keep(ptr %x)
  %v = load i64, ptr %x
  ret i64 %v
}

declare i64 @g() nounwind
declare void @keep(ptr) nounwind
declare void @nopal_hook_enter(ptr) nounwind
declare void @nopal_hook_leave(ptr) nounwind
declare void @nopal_hook_spawn(ptr) nounwind
declare void @nopal_hook_return(ptr) nounwind
declare void @nopal_hook_sync(ptr) nounwind

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"nopal-race", i32 1}
