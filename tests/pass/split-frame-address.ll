; A fast clone that keeps a frame pointer stores it in its frame before its first push, and its sites say where; profilers follow it.
; Not on LLVM 19, which writes no nuw.
; UNSUPPORTED: llvm-19
; RUN: %split %s | FileCheck %s
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='print<nopal-frame>' -disable-output %s 2>&1 | FileCheck --check-prefix=FRAME %s

; CHECK: @f.site = internal constant { ptr, ptr, ptr, i32, i32, i32, i32, ptr, i32, i32, i64 }
; CHECK-SAME: i32 12, i32 7, i32 0, i32 64, ptr @f.steals, i32 4096,
; CHECK: @without.site = internal constant
; CHECK-SAME: i32 13, i32 7, i32 0, i32 0, ptr @without.steals, i32 4096,

; FRAME:      frame of f: 80 bytes, alignment 16
; FRAME:      0       64  header
; FRAME-NEXT: 64        8  frame address: ptr
; FRAME-NEXT: 72        8  value %n: i64

; CHECK-LABEL: define i64 @f(
; CHECK:       %[[A:.*]] = call ptr @llvm.frameaddress.p0(i32 0)
; CHECK-NEXT:  %[[FIELD:.*]] = getelementptr inbounds nuw i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:  store ptr %[[A]], ptr %[[FIELD]]
; CHECK-NEXT:  store i64 ptrtoint (ptr @f.site to i64), ptr %nopal.frame
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" "frame-pointer"="all" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 12, i32 7, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret i64 %n
}

; CHECK-LABEL: define i64 @without(
; CHECK-NOT:   frameaddress
; CHECK:       ret i64
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK-NOT:   frameaddress
; CHECK:       ret ptr
define i64 @without(i64 %n) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 13, i32 7, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret i64 %n
}


define internal void @f.spawn() nounwind noinline "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
