; A callee for other processors, or one that may not be inlined for another reason, has no early exit: its instructions may not exist here.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @here(
; CHECK-NOT:     <8 x float>
; CHECK:       {{^}$}}
define void @here(ptr %p, i64 %n) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @here.spawn, ptr null, i32 1, i32 1, i32 0, ptr %p, i64 %n)
  call void @wide(ptr %p, i64 %n)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @here.spawn(ptr %p, i64 %n) nounwind "nopal-helper"="here" {
  call void @wide(ptr %p, i64 %n)
  ret void
}

define void @wide(ptr %p, i64 %n) noinline nounwind "target-features"="+avx2" "nopal-spawner" {
  %v = load <8 x float>, ptr %p
  %w = fmul <8 x float> %v, %v
  %x = extractelement <8 x float> %w, i64 0
  %leaf = fcmp olt float %x, 2.0
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @wide.spawn, ptr null, i32 1, i32 1, i32 0, ptr %p, i64 %n)
  call void @wide(ptr %p, i64 %n)
  call void @__nopal_sync(i32 0)
  br label %end

end:
  ret void
}

define internal void @wide.spawn(ptr %p, i64 %n) nounwind "target-features"="+avx2" "nopal-helper"="wide" {
  call void @wide(ptr %p, i64 %n)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
