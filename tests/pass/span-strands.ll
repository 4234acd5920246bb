; Hooks are told what the code beside them costs, and whether what comes next has a bound; a path that spawns nothing has no hook.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-time-strands -verify-each -S %s | FileCheck %s
; Not chosen: nothing happens.
; RUN: grep -v '^!' %s | %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-time-strands -S | FileCheck --check-prefix=OTHER %s
; OTHER-NOT: nopal_span

@site = global i64 0
@frame = global i64 0

; Recursion with a hook in between is bounded.
; CHECK-LABEL: define i64 @short(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %small = icmp slt i64 %n, 2
; CHECK-NEXT:    br i1 %small, label %out, label %body
; CHECK:       body:
; CHECK-NEXT:    %m = sub i64 %n, 1
; CHECK-NEXT:    call void @__nopal_span_enter_spawn(ptr @site, i32 [[#]])
; CHECK-NEXT:    %x = call i64 @short(i64 %m)
; CHECK-NEXT:    call void @__nopal_span_return(i32 [[#]])
; CHECK-NEXT:    %y = call i64 @short(i64 %m)
; CHECK-NEXT:    call void @__nopal_span_sync_leave(i32 [[#]])
; CHECK-NEXT:    %z = add i64 %x, %y
; CHECK:       out:
; CHECK-NEXT:    phi
; CHECK-NEXT:    ret
define i64 @short(i64 %n) {
entry:
  call void @nopal_hook_enter(ptr @frame)
  %small = icmp slt i64 %n, 2
  br i1 %small, label %out, label %body
body:
  %m = sub i64 %n, 1
  call void @nopal_hook_spawn(ptr @site)
  %x = call i64 @short(i64 %m)
  call void @nopal_hook_return(ptr @site)
  %y = call i64 @short(i64 %m)
  call void @nopal_hook_sync(ptr @frame)
  %z = add i64 %x, %y
  br label %out
out:
  %r = phi i64 [ %n, %entry ], [ %z, %body ]
  call void @nopal_hook_leave(ptr @frame)
  ret i64 %r
}

; What is not known, and a loop, have no bound: NOPAL_SPAN_LONG is the sign of a number. Code before the first spawn is the caller's.
; CHECK-LABEL: define void @long(
; CHECK:         call void @__nopal_span_enter_spawn(ptr @site, i32 -
; CHECK-NEXT:    call void @unknown()
; CHECK-NEXT:    call void @__nopal_span_return(i32 -
; CHECK:       loop:
; CHECK:       end:
; CHECK-NEXT:    call void @__nopal_span_sync(i32 -
; CHECK-NEXT:    call void @unknown()
; CHECK-NEXT:    call void @nopal_hook_leave(ptr @frame)
define void @long(i64 %n) {
entry:
  call void @nopal_hook_enter(ptr @frame)
  call void @nopal_hook_spawn(ptr @site)
  call void @unknown()
  call void @nopal_hook_return(ptr @site)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  call void @nopal_hook_sync(ptr @frame)
  call void @unknown()
  call void @nopal_hook_leave(ptr @frame)
  ret void
}

; A function whose first code has no bound has none for its callers, but its hooks may.
; CHECK-LABEL: define void @calls_long(
; CHECK:         call void @__nopal_span_enter_spawn(ptr @site, i32 -
; CHECK-NEXT:    call void @long_first(
; CHECK-NEXT:    call void @__nopal_span_return(i32 [[#]])
; CHECK-NEXT:    call void @__nopal_span_sync_leave(i32 [[#]])
define void @calls_long() {
  call void @nopal_hook_enter(ptr @frame)
  call void @nopal_hook_spawn(ptr @site)
  call void @long_first(i64 3)
  call void @nopal_hook_return(ptr @site)
  call void @nopal_hook_sync(ptr @frame)
  call void @nopal_hook_leave(ptr @frame)
  ret void
}

; CHECK-LABEL: define void @long_first(
; CHECK:         call void @unknown()
; CHECK-NEXT:    call void @__nopal_span_enter_spawn(ptr @site, i32 [[#]])
; CHECK-NEXT:    call void @__nopal_span_return(i32 [[#]])
; CHECK-NEXT:    call void @__nopal_span_sync_leave(i32 [[#]])
define void @long_first(i64 %n) {
  call void @nopal_hook_enter(ptr @frame)
  %small = icmp slt i64 %n, 2
  br i1 %small, label %out, label %body
body:
  call void @unknown()
  call void @nopal_hook_spawn(ptr @site)
  call void @nopal_hook_return(ptr @site)
  call void @nopal_hook_sync(ptr @frame)
  br label %out
out:
  call void @nopal_hook_leave(ptr @frame)
  ret void
}

; A loop that repeats a compare-exchange runs once, since the run is serial.
; CHECK-LABEL: define void @exchanges(
; CHECK:         call void @__nopal_span_enter_spawn(ptr @site, i32 [[#]])
; CHECK:       loop:
define void @exchanges(ptr %p) {
entry:
  call void @nopal_hook_enter(ptr @frame)
  call void @nopal_hook_spawn(ptr @site)
  br label %loop
loop:
  %old = phi i32 [ 0, %entry ], [ %seen, %loop ]
  %pair = cmpxchg weak ptr %p, i32 %old, i32 1 monotonic monotonic
  %done = extractvalue { i32, i1 } %pair, 1
  %seen = extractvalue { i32, i1 } %pair, 0
  br i1 %done, label %end, label %loop
end:
  call void @nopal_hook_return(ptr @site)
  call void @nopal_hook_sync(ptr @frame)
  call void @nopal_hook_leave(ptr @frame)
  ret void
}

; Spawns in a loop: the hooks of the frame stand outside of it.
; CHECK-LABEL: define void @in_loop(
; CHECK:       entry:
; CHECK-NEXT:    call void @nopal_hook_enter(ptr @frame)
; CHECK:       loop:
; CHECK:         call void @__nopal_span_spawn(ptr @site, i32 [[#]])
; CHECK:       end:
; CHECK-NEXT:    call void @__nopal_span_sync_leave(
define void @in_loop(i64 %n) {
entry:
  call void @nopal_hook_enter(ptr @frame)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void @nopal_hook_spawn(ptr @site)
  call void @nopal_hook_return(ptr @site)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  call void @nopal_hook_sync(ptr @frame)
  call void @nopal_hook_leave(ptr @frame)
  ret void
}

declare void @unknown()
declare void @nopal_hook_enter(ptr) nounwind
declare void @nopal_hook_leave(ptr) nounwind
declare void @nopal_hook_spawn(ptr) nounwind
declare void @nopal_hook_return(ptr) nounwind
declare void @nopal_hook_sync(ptr) nounwind

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"nopal-span", i32 1}
