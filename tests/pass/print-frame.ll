; print<nopal-frame> shows each field of a frame, and leaves the module alone.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='print<nopal-frame>' -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: FileCheck --check-prefix=SAME %s < %t.ll

; CHECK:      frame of f: 104 bytes, alignment 16; 1 spawn, 1 sync
; CHECK-NEXT:   offset     size  what
; CHECK-NEXT:        0       64  header
; CHECK-NEXT:       64        8  value %n: i64
; CHECK-NEXT:       72        4  value (trunc): i32
; CHECK-NEXT:       80       24  variable %array: [3 x i64]
; CHECK-NOT: frame of

; SAME:     call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(
; SAME-NOT: nopal.frame

define i64 @f(i64 %n) noinline nounwind "nopal-spawner" {
  %array = alloca [3 x i64]
  store i64 %n, ptr %array
  %1 = trunc i64 %n to i32
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use(ptr %array, i32 %1)
  call void @__nopal_sync(i32 0)
  ret i64 %n
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

define void @does_not_spawn() {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(ptr, i32) nounwind
declare void @work() nounwind
