; Each stage of the outliner is a pass with a name: it is listed in order, printed when it changes something, and runs alone.
; RUN: %opt -passes=nopal-outline -print-pipeline-passes -disable-output %s | FileCheck %s --check-prefix=LIST
; RUN: %opt -passes=nopal-outline -print-changed=quiet -disable-output %s 2>&1 | FileCheck %s --check-prefix=CHANGED
; RUN: %opt -passes=nopal-cleanup-markers -verify-each -S %s | FileCheck %s --check-prefix=ALONE

; LIST: nopal-pass-through-syncs,nopal-cleanup-markers,nopal-number-labels,nopal-early-va-start,nopal-dead-cleanup-exits,
; LIST-SAME: nopal-exceptions-in-flight,nopal-conditional-cleanups,nopal-pedigree-loops,nopal-outline-children,
; LIST-SAME: nopal-outline-regions,nopal-pedigrees,nopal-mark-spawners,nopal-mark-thread-bound

; CHANGED: IR Dump After {{.*}}CleanupMarkersPass
; CHANGED: IR Dump After {{.*}}OutlineChildrenPass
; CHANGED: IR Dump After {{.*}}MarkSpawnersPass

; ALONE: define void @f(
; ALONE: call void @__nopal_begin(i32 1,
; ALONE: call void @__nopal_sync(i32 0)
; ALONE-NOT: call void @__nopal_sync_cleanup(
define void @f(ptr %x) {
  %region = alloca i32
  store i32 0, ptr %region
  call void @__nopal_begin(i32 1, ptr null, i32 3, i32 5, i32 0)
  call void @g(ptr %x) #0
  call void @__nopal_end(i32 1)
  call void @__nopal_sync_cleanup(ptr %region)
  ret void
}

declare void @g(ptr)
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync_cleanup(ptr)

attributes #0 = { "nopal-spawned" }
