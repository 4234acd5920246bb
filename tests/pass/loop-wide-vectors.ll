; After the inliner a vector becomes an operand of a leaf that may use wider registers by then; its parents agree with it on the width.
; Not on LLVM 19: this IR is LLVM 22's own.
; UNSUPPORTED: llvm-19
; RUN: %opt -passes='default<O1>' -mtriple=x86_64-pc-linux-gnu -S %s | FileCheck %s

; CHECK-DAG: define void @f({{.*}}) {{.*}}#[[F:[0-9]+]]
; CHECK-DAG: define internal void @f.leaf(<8 x i64> %{{.*}}) {{.*}}#[[LEAF:[0-9]+]]
; CHECK-DAG: define internal void @f.loop(<8 x i64> %{{.*}}) {{.*}}#[[LOOP:[0-9]+]]
; CHECK-DAG: attributes #[[F]] = { {{.*}}"min-legal-vector-width"="512"
; CHECK-DAG: attributes #[[LEAF]] = { {{.*}}"min-legal-vector-width"="1024"
; CHECK-DAG: attributes #[[LOOP]] = { {{.*}}"min-legal-vector-width"="1024"
define void @f(ptr %out, i64 %n) nounwind "min-legal-vector-width"="0" {
  %v = alloca <8 x i64>
  call void @init(ptr captures(none) %v)
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr @f.leaf, ptr null, i32 1, i32 1, i64 %n, i64 8, ptr %v, ptr %out) nomerge nounwind
  ret void
}

define internal void @f.leaf(ptr %v, ptr %out, i64 %lo, i64 %hi) nounwind "min-legal-vector-width"="1024" {
  %x = load <8 x i64>, ptr %v
  store <8 x i64> %x, ptr %out
  call void @use(i64 %lo, i64 %hi)
  ret void
}

declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
declare void @init(ptr)
declare void @use(i64, i64)
