; A statement whose call was folded away, and one that never reaches its end, run in place: no helper, no marker, no spawner.
; RUN: %outline %s | FileCheck %s --implicit-check-not=nopal-spawner --implicit-check-not='define internal' --implicit-check-not='call void @__nopal_begin' --implicit-check-not='call void @__nopal_end'

; CHECK-LABEL: define void @folded(
; CHECK-NEXT:    store i64 7, ptr %x
; CHECK-LABEL: define void @never()
; CHECK-NEXT:    call void @exit(i32 1){{$}}
; CHECK-NEXT:    unreachable
define void @folded(ptr %x) nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  store i64 7, ptr %x
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

define void @never() nounwind {
  call void @__nopal_begin(i32 2, ptr null, i32 1, i32 1, i32 0)
  call void @exit(i32 1) "nopal-spawned"
  unreachable
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @exit(i32)
