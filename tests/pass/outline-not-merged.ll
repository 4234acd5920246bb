; Spawns at the ends of two branches stay two: the optimizer does not make one marker with an unknown helper.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-outline,function(simplifycfg<sink-common-insts;hoist-common-insts>,instcombine)' -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT:     select
; CHECK:         @__nopal_spawn(ptr nonnull @f.spawn{{[.0-9]*}},
; CHECK:         @__nopal_spawn(ptr nonnull @f.spawn{{[.0-9]*}},
define void @f(i1 %c) nounwind {
  br i1 %c, label %left, label %right

left:
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  br label %join

right:
  call void @__nopal_begin(i32 2, ptr null, i32 1, i32 1, i32 0)
  call void @other() "nopal-spawned"
  call void @__nopal_end(i32 2)
  br label %join

join:
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
declare void @other()
