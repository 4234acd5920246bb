; A region stays in place where no outer child can be in flight: after a sync, or before the first outer spawn. Its markers are removed.
; RUN: %outline %s | FileCheck %s

; CHECK-NOT:     @f.region
; CHECK-LABEL: define void @f(
; CHECK-NOT:     @__nopal_region
; CHECK:         call void @__nopal_sync(i32 1)
; CHECK-NOT:     @__nopal_region
; CHECK:         call void @__nopal_sync(i32 0)
; CHECK-NOT:     @__nopal_region
; CHECK:         call void @__nopal_sync(i32 2)
; CHECK-NOT:     @__nopal_region
; CHECK:         ret void
; CHECK-NOT:     @f.region
define void @f() nounwind {
  call void @__nopal_region_begin(i32 2, ptr null, i32 2, i32 2, i32 1)
  call void @__nopal_begin(i32 3, ptr null, i32 3, i32 3, i32 1)
  call void @child() #0
  call void @__nopal_end(i32 3)
  call void @__nopal_sync(i32 1)
  call void @__nopal_region_end(i32 2)
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @child() #0
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  call void @__nopal_region_begin(i32 4, ptr null, i32 4, i32 4, i32 2)
  call void @__nopal_begin(i32 5, ptr null, i32 5, i32 5, i32 2)
  call void @child() #0
  call void @__nopal_end(i32 5)
  call void @__nopal_sync(i32 2)
  call void @__nopal_region_end(i32 4)
  ret void
}

attributes #0 = { "nopal-spawned" }
declare void @child()
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_region_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_region_end(i32)
declare void @__nopal_sync(i32)
