; What is cut off a function that several modules may have is this module's own: in no group, and nothing that it refers to is, since the linker
; may take another module's. A helper of a function that is not cut stays in the group, and so does what is cut off it.
; RUN: %split %s | FileCheck %s

; CHECK-DAG: define linkonce_odr hidden i64 @f(i64 %n){{.*}} comdat
; CHECK-DAG: define internal i64 @f.late(i64 %{{[^)]*}}) unnamed_addr #{{[0-9]+}} align 64 {
; CHECK-DAG: define internal ptr @f.late.slow(ptr %frame) unnamed_addr #{{[0-9]+}} {
; CHECK-DAG: define internal void @f.other(i64 %n) #{{[0-9]+}} {
; CHECK-DAG: define linkonce_odr i64 @g(i64 %n){{.*}} comdat
; CHECK-DAG: define internal void @g.other(i64 %n) #{{[0-9]+}} comdat($g)
; CHECK-DAG: define internal void @g.spawn.late(i64 %{{[^)]*}}) unnamed_addr #{{[0-9]+}} comdat($g)
$f = comdat any
$g = comdat any

define linkonce_odr hidden i64 @f(i64 %n) noinline nounwind "nopal-spawner" comdat {
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %a3 = add i64 %a2, %n
  %leaf = icmp slt i64 %a3, 7
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a2)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.other, ptr null, i32 2, i32 1, i32 0, i64 %a1)
  call void @e(i64 1)
  call void @__nopal_sync(i32 0)
  ret i64 1

end:
  ret i64 %a3
}

define internal void @f.spawn(i64 %n) nounwind "nopal-helper"="f" comdat($f) {
  %v = call i64 @f(i64 %n)
  ret void
}

define internal void @f.other(i64 %n) noinline nounwind "nopal-helper"="f" comdat($f) {
  call void @e(i64 %n)
  call void @e(i64 %n)
  ret void
}

define linkonce_odr i64 @g(i64 %n) noinline nounwind "nopal-spawner" comdat {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 1, i32 1, i32 0, i64 %n)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.other, ptr null, i32 2, i32 1, i32 0, i64 %n)
  call void @e(i64 2)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 3, i32 1, i32 0, i64 3)
  call void @e(i64 2)
  call void @__nopal_sync(i32 0)
  ret i64 1
}

define internal void @g.spawn(i64 %n) nounwind "nopal-helper"="g" comdat($g) {
  %v = call i64 @f(i64 %n)
  ret void
}

define internal void @g.other(i64 %n) noinline nounwind "nopal-helper"="g" comdat($g) {
  call void @e(i64 %n)
  ret void
}

declare void @e(i64)
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
