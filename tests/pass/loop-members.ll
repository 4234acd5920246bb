; After the inliner, members that a leaf only loads from a local that no other code knows are passed by value; not if other code may write them.
; Not on LLVM 19: this IR is LLVM 22's own.
; UNSUPPORTED: llvm-19
; RUN: %opt -passes='default<O1>' -mtriple=x86_64-pc-linux-gnu -S %s | FileCheck %s

; CHECK-LABEL: define void @read(
; CHECK:         call void @read.loop(
; CHECK-LABEL: define {{.*}}@read.leaf(i64 %v.8, ptr {{.*}}%out, i64 %lo, i64 %hi)
; CHECK-LABEL: define {{.*}}@told.leaf(ptr {{.*}}%v, ptr {{.*}}%out, i64 %lo, i64 %hi)
; CHECK-LABEL: define {{.*}}@twice.leaf(ptr {{.*}}%v, ptr {{.*}}%w, i64 %lo, i64 %hi)
define void @read(ptr %out, i64 %n) nounwind {
  %v = alloca [3 x i64]
  %m = getelementptr i8, ptr %v, i64 8
  call void @init(ptr captures(none) %v)
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @read.leaf, ptr null, i32 1, i32 1, i64 %n, i64 8, ptr %v, ptr %out) nomerge nounwind
  %x = load i64, ptr %m
  call void @use(i64 %x)
  ret void
}

define internal void @read.leaf(ptr %v, ptr %out, i64 %lo, i64 %hi) nounwind {
  %m = getelementptr i8, ptr %v, i64 8
  %x = load i64, ptr %m
  store i64 %x, ptr %out
  call void @use(i64 %x)
  ret void
}

; Its constructor kept the address.
define void @told(ptr %out, i64 %n) nounwind {
  %v = alloca [3 x i64]
  call void @init(ptr %v)
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @told.leaf, ptr null, i32 1, i32 1, i64 %n, i64 8, ptr %v, ptr %out) nomerge nounwind
  ret void
}

define internal void @told.leaf(ptr %v, ptr %out, i64 %lo, i64 %hi) nounwind {
  %x = load i64, ptr %v
  store i64 %x, ptr %out
  call void @use(i64 %x)
  ret void
}

; The loop writes it by its other operand.
define void @twice(i64 %n) nounwind {
  %v = alloca [3 x i64]
  %w = getelementptr i8, ptr %v, i64 8
  call void @init(ptr captures(none) %v)
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @twice.leaf, ptr null, i32 1, i32 1, i64 %n, i64 8, ptr %v, ptr %w) nomerge nounwind
  ret void
}

define internal void @twice.leaf(ptr %v, ptr %w, i64 %lo, i64 %hi) nounwind {
  store i64 %lo, ptr %w
  %m = getelementptr i8, ptr %v, i64 8
  %x = load i64, ptr %m
  call void @use(i64 %x)
  %y = load i64, ptr %v
  call void @use(i64 %y)
  ret void
}

declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
declare void @init(ptr)
declare void @use(i64)
