; What is left of a loop after a steal runs in the slow clone, which has a body of its own of a small child there: also in a loop with two
; entries, as that of @two. Not after a loop's sync, where the slow clone ends, nor outside of loops, of large children, with -Os.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:     @f.spawn(
; CHECK:         call void @work()
; CHECK-LABEL: define internal ptr @two.slow(
; CHECK-NOT:     @f.spawn(
; CHECK:         call void @work()
; CHECK-NOT:     @f.spawn(
; CHECK-LABEL: define internal ptr @trips.slow(
; CHECK-NOT:     @work(
; CHECK:         call void @f.spawn(
; CHECK-NOT:     @work(
; CHECK-LABEL: define internal ptr @straight.slow(
; CHECK-NOT:     @work(
; CHECK:         call void @f.spawn(
; CHECK-NOT:     @work(
; CHECK-LABEL: define internal ptr @large.slow(
; CHECK-NOT:     @work(
; CHECK:         call void @large.spawn(
; CHECK-NOT:     @work(
; CHECK-LABEL: define internal ptr @small.slow(
; CHECK-NOT:     @work(
; CHECK:         call void @f.spawn(
; CHECK-NOT:     @work(
; CHECK-LABEL: define {{.*}}@nopal.register(

define void @f() noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %more = call i1 @more()
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

; The slow clone enters the loop in its middle, and at its top after the first spawn.
define void @two() noinline nounwind "nopal-spawner" {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @large.spawn, ptr null, i32 1, i32 1, i32 0)
  br label %loop

loop:
  %round = phi i32 [ 0, %entry ], [ %next, %again ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %more = call i1 @more()
  br i1 %more, label %again, label %done

again:
  %next = add i32 %round, 1
  br label %loop

done:
  call void @__nopal_sync(i32 0)
  ret void
}

define void @trips() noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @large.spawn, ptr null, i32 1, i32 1, i32 0)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  %more = call i1 @more()
  br i1 %more, label %loop, label %done

done:
  ret void
}

define void @straight() noinline nounwind "nopal-spawner" {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @large.spawn, ptr null, i32 1, i32 1, i32 0)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @__nopal_sync(i32 0)
  ret void
}

define void @large() noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @large.spawn, ptr null, i32 1, i32 1, i32 0)
  %more = call i1 @more()
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

define void @small() noinline nounwind optsize "nopal-spawner" {
entry:
  br label %loop

loop:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %more = call i1 @more()
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

; 33 instructions.
define internal void @large.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare i1 @more() nounwind
