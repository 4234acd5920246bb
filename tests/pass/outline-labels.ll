; The addresses of labels become numbers, in static tables too, and an indirectbr a switch; a target that has no address is none.
; Not on LLVM 19, which folds the constant.
; UNSUPPORTED: llvm-19
; RUN: %outline %s | FileCheck %s --implicit-check-not=blockaddress --implicit-check-not=indirectbr
; RUN: %outline %s | %split - | FileCheck %s --check-prefix=SPLIT

; The first indirectbr's targets are counted from 1.
; CHECK: @table = internal constant [2 x ptr] [ptr inttoptr (i64 1 to ptr), ptr inttoptr (i64 2 to ptr)]
; CHECK: @offsets = {{.*}}sub (i64 ptrtoint (ptr inttoptr (i64 2 to ptr) to i64), i64 ptrtoint (ptr inttoptr (i64 1 to ptr) to i64))
@table = internal constant [2 x ptr] [ptr blockaddress(@f, %one), ptr blockaddress(@f, %two)]
@offsets = internal constant [2 x i32] [i32 0, i32 trunc (i64 sub (i64 ptrtoint (ptr blockaddress(@f, %two) to i64), i64 ptrtoint (ptr blockaddress(@f, %one) to i64)) to i32)]

; CHECK-LABEL: define i32 @f(
; CHECK:         %[[NUMBER:.*]] = ptrtoint ptr %label to i64
; CHECK-NEXT:    switch i64 %[[NUMBER]], label %[[NEVER:.*]] [
; CHECK-NEXT:      i64 1, label %one
; CHECK-NEXT:      i64 2, label %two
; CHECK-NEXT:    ]
; CHECK:       one:
; CHECK-NEXT:    %phi = phi i32 [ 7, %{{[^,]*}} ]
; CHECK:       [[NEVER]]:
; CHECK-NEXT:    unreachable
; SPLIT:       define internal ptr @f.slow(
define i32 @f(ptr %place) nounwind {
entry:
  call void @__nopal_begin(i32 0, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 0)
  %label = load ptr, ptr %place
  indirectbr ptr %label, [label %one, label %two, label %one, label %lost]

one:
  %phi = phi i32 [ 7, %entry ], [ 7, %entry ]
  call void @__nopal_sync(i32 0)
  ret i32 %phi

two:
  ret i32 2

lost:
  ret i32 3
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
