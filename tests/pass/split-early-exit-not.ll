; Functions without early exits: a function that was noinline by itself, one that writes, calls or loops before its test, one whose short
; path calls something, and a child that is short without a test. Each spawn and call stays as it is.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @parent(i64 %n, ptr %p)
; CHECK-NOT:     icmp slt i64 %n
; CHECK:         call void @kept(i64 %n)
; CHECK-NOT:     icmp slt i64 %n
; CHECK:         call void @writes(i64 %n, ptr %p)
; CHECK-NOT:     icmp slt i64 %n
; CHECK:         call void @calls(i64 %n)
; CHECK-NOT:     icmp slt i64 %n
; CHECK:         call void @loops(i64 %n)
; CHECK-NOT:     icmp slt i64 %n
; CHECK:         call void @small(i64 %n)
; CHECK-NOT:     icmp slt i64 %n
; CHECK:         store i64 ptrtoint (ptr @parent.site to i64)
; CHECK:         store i64 1, ptr %p
; CHECK:       {{^}}}
define void @parent(i64 %n, ptr %p) noinline nounwind "nopal-spawner" {
  call void @kept(i64 %n)
  call void @writes(i64 %n, ptr %p)
  call void @calls(i64 %n)
  call void @loops(i64 %n)
  call void @small(i64 %n)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @parent.spawn, ptr null, i32 1, i32 1, i32 0, ptr %p)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @parent.spawn(ptr %p) nounwind "nopal-helper"="parent" {
  store i64 1, ptr %p
  ret void
}

define void @kept(i64 %n) noinline nounwind "nopal-spawner" "nopal-kept-out-of-line" {
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @work.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  br label %end

end:
  ret void
}

define void @writes(i64 %n, ptr %p) noinline nounwind "nopal-spawner" {
  store i64 %n, ptr %p
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @work.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  br label %end

end:
  ret void
}

define void @calls(i64 %n) noinline nounwind "nopal-spawner" {
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %short, label %work

short:
  call void @more()
  ret void

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @work.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  ret void
}

define void @loops(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ %n, %entry ], [ %half, %loop ]
  %half = lshr i64 %i, 1
  %odd = trunc i64 %i to i1
  br i1 %odd, label %out, label %loop

out:
  %leaf = icmp slt i64 %i, 2
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @work.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  br label %end

end:
  ret void
}

define void @small(i64 %n) noinline nounwind minsize optsize "nopal-spawner" {
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @work.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @more()
  call void @__nopal_sync(i32 0)
  br label %end

end:
  ret void
}

define internal void @work.spawn() nounwind "nopal-helper"="work" {
  call void @more()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @more() nounwind
