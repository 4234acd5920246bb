; A function that spawns is not inlined before the split, syncs before each return, and its helper has its target, comdat and section.
; RUN: %outline %s | FileCheck %s

; CHECK: define linkonce_odr i64 @f(i1 %c) #[[SPAWNER:[0-9]+]] section "hot" comdat {
; CHECK:         call void @__nopal_sync(i32 0)
; CHECK-NEXT:    ret i64 1
; CHECK:         call void @__nopal_sync(i32 0)
; CHECK-NEXT:    ret i64 2
; CHECK: define internal void @f.spawn() #[[HELPER:[0-9]+]] section "hot" comdat($f) {
; CHECK: attributes #[[SPAWNER]] = { mustprogress noinline norecurse nounwind willreturn memory({{.*}}) "nopal-spawner" "target-features"="+avx2" }
; CHECK: attributes #[[HELPER]] = { nounwind "nopal-helper"="f" "target-features"="+avx2" }
$f = comdat any
define linkonce_odr i64 @f(i1 %c) nounwind inlinehint willreturn mustprogress norecurse memory(readwrite, inaccessiblemem: none) "target-features"="+avx2" section "hot" comdat {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  br i1 %c, label %one, label %two

one:
  ret i64 1

two:
  ret i64 2
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
