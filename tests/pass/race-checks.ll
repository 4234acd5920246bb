; The detector is called for an access of 4 or 8 bytes only if that may not be recorded already.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-instrument-race -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define i64 @read(
; CHECK:         call void @__tsan_func_entry(
; CHECK:         %[[NOW:.*]] = load i64, ptr %{{.*}}
; CHECK-NEXT:    icmp eq i64 %[[NOW]], 0
; CHECK-NEXT:    br i1 %{{.*}}, label %[[DONE:.*]], label %[[CHECKED:.*]]
; CHECK:       [[CHECKED]]:
; CHECK:         load i32
; CHECK-NEXT:    icmp eq i32 %{{.*}}, -1
; CHECK-NEXT:    br i1 %{{.*}}, label %[[APART:.*]], label %[[NEW:.*]]
; CHECK:       [[APART]]:
; CHECK:         %[[WRITE:.*]] = load i64
; CHECK-NEXT:    icmp eq i64 %[[WRITE]], %[[NOW]]
; CHECK-NEXT:    br i1 %{{.*}}, label %[[DONE]], label %[[OTHER:.*]]
; CHECK:       [[OTHER]]:
; CHECK:         br i1 %{{.*}}, label %[[DONE]], label %[[READ:.*]]
; CHECK:       [[READ]]:
; CHECK:         load i32, ptr @__nopal_race_parallel
; CHECK:         br i1 %{{.*}}, label %[[DONE]], label %[[NEW]]
; CHECK:       [[NEW]]:
; CHECK-NEXT:    call void @__nopal_race_read8(ptr %p)
; CHECK-NEXT:    br label %[[DONE]]
; CHECK:       [[DONE]]:
; CHECK-NEXT:    load i64, ptr %p
define i64 @read(ptr %p) {
  call void @g()
  %x = load i64, ptr %p
  ret i64 %x
}

; What a write does not replace is an earlier write of the strand alone.
; CHECK-LABEL: define void @write(
; CHECK:         %[[WRITE:.*]] = load i32, ptr %{{.*}}
; CHECK-NOT:     @__nopal_race_parallel
; CHECK:         call void @__nopal_race_write4(ptr %p)
define void @write(ptr %p) {
  call void @g()
  store i32 1, ptr %p
  ret void
}

; Other sizes, and functions that are not optimized, call always.
; CHECK-LABEL: define void @byte(
; CHECK-NOT:     br
; CHECK:         call void @__tsan_write1(ptr %p)
define void @byte(ptr %p) {
  call void @g()
  store i8 1, ptr %p
  ret void
}
; CHECK-LABEL: define void @plain(
; CHECK-NOT:     br
; CHECK:         call void @__tsan_write4(ptr %p)
define void @plain(ptr %p) noinline optnone {
  call void @g()
  store i32 1, ptr %p
  ret void
}

declare void @g() nounwind

!llvm.module.flags = !{!0}
!0 = !{i32 7, !"nopal-race", i32 1}
