; The split is a pipeline of passes with names, and so is all that the plugin adds to clang's own.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-split -print-pipeline-passes -disable-output %s | FileCheck %s --check-prefix=SPLIT
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='default<O2>' -print-pipeline-passes -disable-output %s | FileCheck %s --check-prefix=ALL --implicit-check-not=nopal::
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-call-views,nopal-small-loop-tests,nopal-lower-loops,nopal-early-exits,nopal-thread-bound-lowering,nopal-merge-pads,nopal-split-functions,nopal-lower-idle-markers,nopal-inline-helpers,nopal-link-fast-path,nopal-inline-fast-path,nopal-register-sites,nopal-tidy,nopal-early-tails,nopal-lower-views,nopal-finish-helpers,nopal-worker-in-register,nopal-early-returns,nopal-bound-frames,nopal-erase-marks -S %s -o %t.each.ll
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-split -S %s -o %t.all.ll
; RUN: diff %t.each.ll %t.all.ll
; RUN: FileCheck %s --implicit-check-not=nopal-clone --implicit-check-not='!nopal.' < %t.all.ll
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-split-functions -S %s | FileCheck %s --check-prefix=MARKS

; SPLIT: nopal-call-views,nopal-small-loop-tests,nopal-lower-loops,nopal-early-exits,nopal-thread-bound-lowering,nopal-merge-pads,nopal-split-functions,
; SPLIT-SAME: nopal-lower-idle-markers,nopal-inline-helpers,nopal-link-fast-path,nopal-inline-fast-path,
; SPLIT-SAME: nopal-register-sites,nopal-tidy,nopal-early-tails,nopal-lower-views,nopal-finish-helpers,
; SPLIT-SAME: nopal-worker-in-register,nopal-early-returns,nopal-bound-frames,nopal-erase-marks

; ALL: nopal-forget-frame-bytes,nopal-stack-probes,nopal-view-markers,nopal-spawned-calls,
; ALL-SAME: nopal-thread-bound
; ALL-SAME: nopal-loop-operands,nopal-small-loops
; ALL-SAME: nopal-split-functions

; CHECK: define internal ptr @f.slow(
; MARKS: @f.site = {{.*}} !nopal.fast.clone ![[FAST:[0-9]+]]
; MARKS: %nopal.frame = alloca {{.*}} !nopal.frame
; MARKS: call void @f.spawn(){{.*}} !nopal.child
; MARKS: "nopal-clone"="fast"
; MARKS: "nopal-clone"="slow"
; MARKS: ![[FAST]] = !{ptr @f}
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
