; A module without a spawn gets nothing: no clone, no site, no constructor.
; RUN: %split < %s | FileCheck %s --implicit-check-not=nopal

; CHECK-LABEL: define i64 @f(
; CHECK-NEXT:    %sum = add i64 %n, 1
; CHECK-NEXT:    ret i64 %sum
define i64 @f(i64 %n) {
  %sum = add i64 %n, 1
  ret i64 %sum
}
