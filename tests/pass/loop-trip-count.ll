; Where a loop within the loop has the trip count that an operand says, the least number of iterations of a leaf is computed where the loop
; stands. There is none if the trip counts differ from iteration to iteration, depend on the part of the range, or would take a write to know.
; RUN: %split %s | FileCheck %s --implicit-check-not=.least

; CHECK-LABEL: define void @trips(
; CHECK:         %[[TRIPS:.*]] = call i64 @llvm.umin.i64(i64 %{{.*}}, i64 1024)
; CHECK:         %[[INNER:.*]] = mul i64 %[[TRIPS]], 5
; CHECK:         %[[COST:.*]] = add i64 4, %[[INNER]]
; CHECK:         %[[MOST:.*]] = call i64 @llvm.umin.i64(i64 %[[COST]], i64 1024)
; CHECK:         %[[SHORT:.*]] = trunc i64 %[[MOST]] to i32
; CHECK:         %[[LEAST:.*]] = udiv i32 1024, %[[SHORT]]
; CHECK:         %[[LONG:.*]] = zext i32 %[[LEAST]] to i64
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 %[[LONG]])
define void @trips(ptr %a, i64 %m, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @trips.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a, i64 %m) nounwind
  ret void
}
define internal void @trips.leaf(ptr %a, i64 %m, i64 %lo, i64 %hi) nounwind "nopal-helper"="trips" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %later ]
  br label %inner
inner:
  %j = phi i64 [ 0, %round ], [ %k, %inner ]
  %p = getelementptr i64, ptr %a, i64 %j
  store i64 %i, ptr %p
  %k = add nuw i64 %j, 1
  %all = icmp eq i64 %k, %m
  br i1 %all, label %later, label %inner
later:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

; Empty assembly is no call. Seven iterations of five instructions, and four around them: 1024 / 39
; CHECK-LABEL: define void @hidden(
; CHECK-NOT:     udiv
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 26)
define void @hidden(i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @hidden.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0) nounwind
  ret void
}
define internal void @hidden.leaf(i64 %lo, i64 %hi) nounwind "nopal-helper"="hidden" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %later ]
  br label %inner
inner:
  %j = phi i64 [ 0, %round ], [ %k, %inner ]
  %x = call i64 asm sideeffect "", "=r,0"(i64 %j)
  %y = add i64 %x, 1
  %k = add nuw i64 %j, 1
  %all = icmp eq i64 %k, 7
  br i1 %all, label %later, label %inner
later:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

; CHECK-LABEL: define void @differ(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
define void @differ(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @differ.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @differ.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="differ" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %later ]
  %q = getelementptr i64, ptr %a, i64 %i
  %m = load i64, ptr %q
  br label %inner
inner:
  %j = phi i64 [ 0, %round ], [ %k, %inner ]
  %p = getelementptr i64, ptr %a, i64 %j
  store i64 %i, ptr %p
  %k = add nuw i64 %j, 1
  %all = icmp eq i64 %k, %m
  br i1 %all, label %later, label %inner
later:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

; CHECK-LABEL: define void @range(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
define void @range(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @range.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @range.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="range" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %later ]
  br label %inner
inner:
  %j = phi i64 [ 0, %round ], [ %k, %inner ]
  %p = getelementptr i64, ptr %a, i64 %j
  store i64 %i, ptr %p
  %k = add nuw i64 %j, 1
  %all = icmp eq i64 %k, %hi
  br i1 %all, label %later, label %inner
later:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

; CHECK-LABEL: define void @writes(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
define void @writes(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @writes.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @writes.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="writes" {
entry:
  store i64 5, ptr %a
  %m = load i64, ptr %a
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %later ]
  br label %inner
inner:
  %j = phi i64 [ 0, %round ], [ %k, %inner ]
  %p = getelementptr i64, ptr %a, i64 %j
  store i64 %i, ptr %p
  %k = add nuw i64 %j, 1
  %all = icmp eq i64 %k, %m
  br i1 %all, label %later, label %inner
later:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

@file = private constant [4 x i8] c"f.c\00"
declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
