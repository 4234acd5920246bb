; What is not cut behind its tests: a function whose rest comes back to them, one with two rests, one that nobody calls, spawns who could do the tests, one whose
; entry somebody patches, one whose rest would need more values than there are registers, and one whose rest may use the address of a local of its own. Of tests that are not worth doing twice nothing is done in place then.
; RUN: %split %s | FileCheck %s --implicit-check-not=.late

; CHECK-LABEL: define i64 @comes_back(
define i64 @comes_back(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %test

test:
  %m = phi i64 [ %n, %entry ], [ %next, %work ]
  %a0 = mul i64 %m, 13
  %a1 = xor i64 %a0, %m
  %a2 = lshr i64 %a1, 3
  %a3 = add i64 %a2, %m
  %leaf = icmp slt i64 %a3, 7
  br i1 %leaf, label %end, label %work

work:
  %next = sub i64 %m, 1
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @comes_back.spawn, ptr null, i32 1, i32 1, i32 0, i64 %next)
  call void @g()
  br label %test

end:
  call void @__nopal_sync(i32 0)
  ret i64 %a3
}

define internal void @comes_back.spawn(i64 %n) nounwind "nopal-helper"="comes_back" {
  %v = call i64 @comes_back(i64 %n)
  ret void
}

; CHECK-LABEL: define i64 @two(
define i64 @two(i64 %n) noinline nounwind "nopal-spawner" {
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %a3 = add i64 %a2, %n
  %big = icmp sgt i64 %a3, 1000
  br i1 %big, label %one, label %small

small:
  %leaf = icmp slt i64 %a3, 7
  br i1 %leaf, label %end, label %other

one:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @two.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a1)
  call void @g()
  call void @__nopal_sync(i32 0)
  ret i64 1

other:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @two.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a2)
  call void @g()
  call void @__nopal_sync(i32 0)
  ret i64 2

end:
  ret i64 %a3
}

define internal void @two.spawn(i64 %n) nounwind "nopal-helper"="two" {
  %v = call i64 @two(i64 %n)
  ret void
}

; CHECK-LABEL: define i64 @nobody(
define i64 @nobody(i64 %n) noinline nounwind "nopal-spawner" {
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %a3 = add i64 %a2, %n
  %leaf = icmp slt i64 %a3, 7
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @nobody.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @g()
  call void @__nopal_sync(i32 0)
  ret i64 1

end:
  ret i64 %a3
}

define internal void @nobody.spawn() nounwind "nopal-helper"="nobody" {
  call void @g()
  ret void
}

; CHECK-LABEL: define i64 @patched(
define i64 @patched(i64 %n) noinline nounwind "nopal-spawner" "patchable-function-entry"="2" {
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %a3 = add i64 %a2, %n
  %leaf = icmp slt i64 %a3, 7
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @patched.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a2)
  call void @g()
  call void @__nopal_sync(i32 0)
  ret i64 1

end:
  ret i64 %a3
}

define internal void @patched.spawn(i64 %n) nounwind "nopal-helper"="patched" {
  %v = call i64 @patched(i64 %n)
  ret void
}

; CHECK-LABEL: define i64 @seven(
define i64 @seven(i64 %n, ptr %a, ptr %b, ptr %c, ptr %d, ptr %e) noinline nounwind "nopal-spawner" {
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %a3 = add i64 %a2, %n
  %leaf = icmp slt i64 %a3, 7
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @seven.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a2, ptr %a, ptr %b, ptr %c, ptr %d, ptr %e)
  call void @g()
  call void @__nopal_sync(i32 0)
  ret i64 %n

end:
  ret i64 %a3
}

define internal void @seven.spawn(i64 %n, ptr %a, ptr %b, ptr %c, ptr %d, ptr %e) nounwind "nopal-helper"="seven" {
  %v = call i64 @seven(i64 %n, ptr %a, ptr %b, ptr %c, ptr %d, ptr %e)
  ret void
}

; CHECK-LABEL: define i64 @own(
define i64 @own(i64 %n, ptr %p) noinline nounwind "nopal-spawner" {
entry:
  %local = alloca i64
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %a3 = add i64 %a2, %n
  %big = icmp sgt i64 %a3, 1000
  br i1 %big, label %work, label %small

small:
  %leaf = icmp slt i64 %a3, 7
  br i1 %leaf, label %end, label %work

work:
  %q = phi ptr [ %local, %entry ], [ %p, %small ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @own.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a2, ptr %q)
  call void @g()
  call void @__nopal_sync(i32 0)
  ret i64 %n

end:
  ret i64 %a3
}

define internal void @own.spawn(i64 %n, ptr %q) nounwind "nopal-helper"="own" {
  %v = call i64 @own(i64 %n, ptr %q)
  ret void
}

declare void @g()
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
