; A loop marker that another pass has merged from two is refused: its leaf is unknown.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f {{.*}}: 'cilk_for' whose body another pass has merged with a second one is not supported; compile without that pass
define void @f(i1 %c, i64 %n) nounwind {
  %leaf = select i1 %c, ptr @f.leaf, ptr @f.other
  call void (ptr, ptr, i32, i32, i64, i64, ...) @__nopal_loop(ptr %leaf, ptr null, i32 1, i32 1, i64 %n, i64 0)
  ret void
}

define internal void @f.leaf(i64 %lo, i64 %hi) nounwind "nopal-helper"="f" {
  ret void
}

define internal void @f.other(i64 %lo, i64 %hi) nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_loop(ptr, ptr, i32, i32, i64, i64, ...)
