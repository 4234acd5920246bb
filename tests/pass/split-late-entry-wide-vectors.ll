; What is cut off a helper may get a vector that the tests in front of it have computed: both agree about the registers it is passed in.
; RUN: %split %s | FileCheck %s

; CHECK-DAG: define internal void @g.spawn.late({{.*}}<8 x i64> %{{.*}}) {{.*}}#[[LATE:[0-9]+]]
; CHECK-DAG: define i64 @g({{.*}}) #[[G:[0-9]+]]
; CHECK-DAG: define internal ptr @g.slow({{.*}}) {{.*}}#[[SLOW:[0-9]+]]
; CHECK-DAG: attributes #[[LATE]] = { {{.*}}"min-legal-vector-width"="512"
; CHECK-DAG: attributes #[[G]] = { {{.*}}"min-legal-vector-width"="512"
; CHECK-DAG: attributes #[[SLOW]] = { {{.*}}"min-legal-vector-width"="512"
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" "min-legal-vector-width"="0" {
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %a3 = add i64 %a2, %n
  %leaf = icmp slt i64 %a3, 7
  br i1 %leaf, label %end, label %work

work:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a2)
  call void @e(i64 1)
  call void @__nopal_sync(i32 0)
  ret i64 1

end:
  ret i64 %a3
}

define internal void @f.spawn(i64 %n) nounwind "nopal-helper"="f" "min-legal-vector-width"="0" {
  %v = call i64 @f(i64 %n)
  ret void
}

define i64 @g(i64 %n, ptr %p) noinline nounwind "nopal-spawner" "min-legal-vector-width"="0" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 1, i32 1, i32 0, i64 %n, ptr %p)
  call void @e(i64 2)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 3, i32 1, i32 0, i64 3, ptr %p)
  call void @e(i64 2)
  call void @__nopal_sync(i32 0)
  ret i64 1
}

define internal void @g.spawn(i64 %n, ptr %p) nounwind "nopal-helper"="g" "min-legal-vector-width"="0" {
  %x = load <8 x i64>, ptr %p
  %v = call i64 @f(i64 %n)
  %s = insertelement <8 x i64> %x, i64 %v, i64 0
  store <8 x i64> %s, ptr %p
  ret void
}

declare void @e(i64)
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
