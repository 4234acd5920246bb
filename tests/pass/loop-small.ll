; A loop of a known small number of iterations is its leaf in place, after one test of the runtime's byte; dividing it is cold code. Not
; with a grain of the program's own, where an iteration has no bound, where there are too many, and in code that is to be small.
; RUN: %opt -passes='default<O2>' -mtriple=x86_64-pc-linux-gnu -S %s | FileCheck %s
; RUN: %opt -passes='default<O2>' -mtriple=x86_64-pc-linux-gnu -S %s -pass-remarks-missed=nopal-loop -o %t 2>&1 | FileCheck %s --check-prefix=REMARK

; REMARK-COUNT-3: the loop is not divided: a leaf of 147 iterations takes no longer than a steal, and it has 100
; REMARK-NOT:     not divided

; CHECK-LABEL: define void @known(
; CHECK:         %[[BYTE:.*]] = load atomic i8, ptr @nopal_least_counts unordered, align 1
; CHECK:         %[[NO:.*]] = icmp eq i8 %[[BYTE]], 0
; CHECK:         br i1 %[[NO]], label %[[DIVIDE:.*]], label %{{.*}}, !prof
; CHECK:         store <{{.*}} x i64>
; CHECK-NOT:     call
; CHECK:       [[DIVIDE]]:
; CHECK:         call void @f.start(ptr {{.*}}%a, i64 0, i64 100, i64 {{[0-9]+}})
; CHECK-LABEL: define void @throws(
; CHECK:         load atomic i8, ptr @nopal_least_counts
; CHECK-NOT:     invoke
; CHECK-NOT:     landingpad
; CHECK-LABEL: define void @given(
; CHECK-NOT:     nopal_
; CHECK:         call void @f.loop(ptr {{.*}}%a, i64 0, i64 100, i64 50)
; CHECK-LABEL: define void @many(
; CHECK-NOT:     nopal_least_counts
; CHECK:         call i64 @nopal_loop_grain(i64 100000, i64 {{[0-9]+}})
; CHECK-LABEL: define void @calls(
; CHECK:         call i64 @nopal_loop_grain(i64 100, i64 1)
; For size the leaf is called.
; CHECK-LABEL: define void @size(
; CHECK:         load atomic i8, ptr @nopal_least_counts
; CHECK:         call {{.*}}void @f.leaf(ptr {{.*}}%a, i64 0, i64 100)
; The thread sanitizer is to see each iteration.
; CHECK-LABEL: define void @sanitized(
; CHECK-NOT:     nopal_least_counts
; CHECK:         call i64 @nopal_loop_grain(i64 100, i64 {{[0-9]+}})
; CHECK:       define internal void @f.start(ptr {{.*}}, i64 {{.*}}, i64 {{.*}}, i64 {{.*}}) {{.*}}#[[COLD:[0-9]+]]
; CHECK:         %[[GRAIN:.*]] = call i64 @nopal_loop_grain(i64
; CHECK:         call void @f.part(ptr {{.*}}, i64 %[[GRAIN]])
; CHECK:       attributes #[[COLD]] = { {{.*}}cold {{.*}}"nopal-migrates"

define void @known(ptr %a) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 100, i64 0, ptr %a) nomerge nounwind
  ret void
}

define void @throws(ptr %a) personality ptr @__gxx_personality_v0 {
  invoke void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 100, i64 0, ptr %a) nomerge
    to label %done unwind label %pad
done:
  ret void
pad:
  %e = landingpad { ptr, i32 } cleanup
  call void @work(i64 0)
  resume { ptr, i32 } %e
}

define void @given(ptr %a) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 100, i64 50, ptr %a) nomerge nounwind
  ret void
}

define void @many(ptr %a) nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 100000, i64 0, ptr %a) nomerge nounwind
  ret void
}

define void @calls() nounwind {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @calls.leaf, ptr null, i32 1, i32 1, i64 100, i64 0) nomerge nounwind
  ret void
}

define void @size(ptr %a) nounwind optsize {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 100, i64 0, ptr %a) nomerge nounwind
  ret void
}

define void @sanitized(ptr %a) nounwind sanitize_thread {
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @sanitized.leaf, ptr null, i32 1, i32 1, i64 100, i64 0, ptr %a) nomerge nounwind
  ret void
}

define internal void @f.leaf(ptr %a, i64 %lo, i64 %hi) nounwind {
entry:
  %any = icmp ult i64 %lo, %hi
  br i1 %any, label %round, label %done
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %p = getelementptr i64, ptr %a, i64 %i
  %v = load i64, ptr %p
  %w = add i64 %v, %i
  store i64 %w, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define internal void @sanitized.leaf(ptr %a, i64 %lo, i64 %hi) nounwind sanitize_thread {
entry:
  %any = icmp ult i64 %lo, %hi
  br i1 %any, label %round, label %done
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  %p = getelementptr i64, ptr %a, i64 %i
  store i64 %i, ptr %p
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

define internal void @calls.leaf(i64 %lo, i64 %hi) nounwind {
entry:
  %any = icmp ult i64 %lo, %hi
  br i1 %any, label %round, label %done
round:
  %i = phi i64 [ %lo, %entry ], [ %next, %round ]
  call void @work(i64 %i)
  %next = add i64 %i, 1
  %end = icmp eq i64 %next, %hi
  br i1 %end, label %done, label %round
done:
  ret void
}

declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
declare void @work(i64)
declare i32 @__gxx_personality_v0(...)
