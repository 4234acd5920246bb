; A leaf should be worth a steal: its least number of iterations follows from a bound of what one costs. There is no bound with a call, a
; loop within the loop, or what another thread may have to do with.
; RUN: %split %s | FileCheck %s

; 8 instructions (the phi is none): 1024 / 8. No more than that are run by the leaf, and the runtime is not asked.
; CHECK-LABEL: define void @small(
; CHECK:         %[[BYTE:.*]] = load atomic i8, ptr @nopal_least_counts unordered, align 1
; CHECK:         %few = icmp ule i64 %n, 128
; CHECK:         %counts = icmp ne i8 %[[BYTE]], 0
; CHECK:         %[[WHOLE:.*]] = and i1 %few, %counts
; CHECK:         br i1 %[[WHOLE]], label %loop.small, label %loop.divide
; CHECK:       loop.small:
; CHECK-NEXT:    call void @small.leaf(ptr %a, i64 0, i64 %n)
; CHECK:       loop.divide:
; CHECK:         call void @small.start(ptr %a, i64 0, i64 %n, i64 128)
; a round of 8 iterations in 8 instructions, and one of 1 in 6 (the remainder): 1024 / 6
; CHECK-LABEL: define void @vectorized(
; CHECK:         call void @vectorized.start(ptr %a, i64 0, i64 %n, i64 171)
; a division counts 16: 1024 / 21
; CHECK-LABEL: define void @divides(
; CHECK:         call void @divides.start(ptr %a, i64 0, i64 %n, i64 49)
; CHECK-LABEL: define void @calls(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
; CHECK-LABEL: define void @sines(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
; CHECK-LABEL: define void @nested(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
; CHECK-LABEL: define void @waits(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
; what no instruction divides is divided by a call, and a vector of integers one by one: 1024 / 69
; CHECK-LABEL: define void @divides_long(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
; CHECK-LABEL: define void @divides_quad(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)
; CHECK-LABEL: define void @divides_vector(
; CHECK:         call void @divides_vector.start(ptr %a, i64 0, i64 %n, i64 15)
; nor is there an instruction that multiplies thousands of bits
; CHECK-LABEL: define void @multiplies(
; CHECK:         call i64 @nopal_loop_grain(i64 %n, i64 1)

define void @small(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @small.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @small.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="small" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %w = add i64 %v, %i
  %x = xor i64 %w, 5
  store i64 %x, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @vectorized(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @vectorized.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @vectorized.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="vectorized" {
entry:
  %most = and i64 %hi, -8
  br label %many
many:
  %k = phi i64 [ %lo, %entry ], [ %more, %many ]
  %q = getelementptr float, ptr %a, i64 %k
  %m = load <8 x float>, ptr %q
  store <8 x float> %m, ptr %q
  %more = add nuw i64 %k, 8
  %last = icmp eq i64 %more, %most
  br i1 %last, label %rest, label %many
rest:
  br label %round
round:
  %i = phi i64 [ %most, %rest ], [ %next, %round ]
  %p = getelementptr float, ptr %a, i64 %i
  %v = load float, ptr %p
  store float %v, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @divides(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @divides.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @divides.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="divides" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %v = udiv i64 1000, %i
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %v, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @calls(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @calls.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @calls.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="calls" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  call void @work(i64 %i)
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @sines(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @sines.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @sines.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="sines" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %p = getelementptr double, ptr %a, i64 %i
  %v = load double, ptr %p
  %w = call double @llvm.sin.f64(double %v)
  store double %w, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @nested(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @nested.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @nested.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="nested" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %later ]
  br label %inner
inner:
  %j = phi i64 [ 0, %round ], [ %k, %inner ]
  %p = getelementptr i64, ptr %a, i64 %j
  store i64 %i, ptr %p
  %k = add i64 %j, 1
  %all = icmp eq i64 %k, %i
  br i1 %all, label %later, label %inner
later:
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @waits(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @waits.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @waits.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="waits" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %v = load atomic i64, ptr %a seq_cst, align 8
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

@file = private constant [4 x i8] c"f.c\00"
define void @divides_long(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @divides_long.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @divides_long.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="divides_long" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %p = getelementptr i128, ptr %a, i64 %i
  %v = load i128, ptr %p
  %w = sdiv i128 %v, %v
  store i128 %w, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @divides_quad(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @divides_quad.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @divides_quad.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="divides_quad" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %p = getelementptr fp128, ptr %a, i64 %i
  %v = load fp128, ptr %p
  %w = fdiv fp128 %v, %v
  store fp128 %w, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @divides_vector(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @divides_vector.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @divides_vector.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="divides_vector" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %p = getelementptr <4 x i32>, ptr %a, i64 %i
  %v = load <4 x i32>, ptr %p
  %w = udiv <4 x i32> %v, %v
  store <4 x i32> %w, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define void @multiplies(ptr %a, i64 %n) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @multiplies.leaf, ptr @file, i32 3, i32 5, i64 %n, i64 0, ptr %a) nounwind
  ret void
}
define internal void @multiplies.leaf(ptr %a, i64 %lo, i64 %hi) nounwind "nopal-helper"="multiplies" {
entry:
  br label %round
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %p = getelementptr i4096, ptr %a, i64 %i
  %v = load i4096, ptr %p
  %w = mul i4096 %v, %v
  store i4096 %w, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
declare void @work(i64) nounwind
declare double @llvm.sin.f64(double)
