; A cleanup call of a sync becomes a sync of the region that its variable holds.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         call void @more()
; CHECK-NEXT:    call void @__nopal_sync(i32 5)
; CHECK-NOT:     call void @__nopal_sync_cleanup
; CHECK:       {{^}$}}
define void @f() nounwind {
  %region = alloca i32
  store i32 5, ptr %region
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 5)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @more()
  call void @__nopal_sync_cleanup(ptr %region)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @__nopal_sync_cleanup(ptr)
declare void @work()
declare void @more()
