; Syncs of two regions at the ends of two branches stay two: the optimizer does not make one marker with an unknown region. Those
; of one region may become one (the second is the one before each return).
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-outline,function(simplifycfg<sink-common-insts;hoist-common-insts>,instcombine)' -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT:     select
; CHECK-DAG:     call void @__nopal_sync(i32 1)
; CHECK-DAG:     call void @__nopal_sync(i32 2)
; CHECK:         ret void
define void @f(i1 %c) nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  br i1 %c, label %left, label %right

left:
  call void @__nopal_sync(i32 1)
  br label %join

right:
  call void @__nopal_sync(i32 2)
  br label %join

join:
  ret void
}

; CHECK-LABEL: define void @one(
; CHECK:         call void {{.*}}@__nopal_spawn(
; CHECK-NEXT:    call void @__nopal_sync(i32 0)
; CHECK-NEXT:    call void @__nopal_sync(i32 0)
; CHECK-NEXT:    ret void
define void @one(i1 %c) nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  br i1 %c, label %left, label %right

left:
  call void @__nopal_sync(i32 0)
  ret void

right:
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
