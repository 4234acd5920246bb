; A pop expects what the push has left, in whatever register, if no call lies between; else what the child left in the register.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @inlined(
; CHECK:         call i64 asm sideeffect "", "={r10}
; CHECK:         call preserve_mostcc void @nopal_push_slow(
; CHECK:         %[[LEFT:.*]] = call {{.*}}i64 asm sideeffect "", "={r10},{r10},{{.*}}"(i64 %{{.*}})
; CHECK-NOT:     "={r10},~
; CHECK:         %[[EXPECTED:.*]] = phi i64 {{.*}}%[[LEFT]]
; CHECK-NOT:     "={r10},~
; CHECK:         atomicrmw add
; CHECK-NOT:     "={r10},~
; CHECK:         icmp eq i64 {{(%.*, )?}}%[[EXPECTED]]
; CHECK:       {{^}}}
define void @inlined(ptr %sum) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @inlined.spawn, ptr null, i32 1, i32 1, i32 0, ptr %sum)
  call void @use()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @inlined.spawn(ptr %sum) nounwind "nopal-helper"="inlined" {
  %old = atomicrmw add ptr %sum, i64 1 monotonic
  ret void
}

; CHECK-LABEL: define void @called(
; CHECK:         call i64 asm sideeffect "", "={r10},~
; CHECK:         call void @use()
; CHECK:         call i64 asm sideeffect "", "={r10},~
; CHECK:       {{^}}}
define void @called() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @called.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @called.spawn() nounwind "nopal-helper"="called" {
  call void @use()
  ret void
}

; A call on one of the child's ways is enough.
; CHECK-LABEL: define void @half(
; CHECK:         call i64 asm sideeffect "", "={r10},~
; CHECK:         call void @use()
; CHECK:         call i64 asm sideeffect "", "={r10},~
; CHECK:       {{^}}}
define void @half(i1 %c) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @half.spawn, ptr null, i32 1, i32 1, i32 0, i1 %c)
  call void @use()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @half.spawn(i1 %c) nounwind "nopal-helper"="half" {
  br i1 %c, label %a, label %b

a:
  call void @use()
  br label %b

b:
  ret void
}

; What the program reads for itself stays.
; CHECK-LABEL: define void @own(
; CHECK:         %own{{.*}} = call i64 asm sideeffect "", "={r10},~
; CHECK-NEXT:    store i64 %own
; CHECK:       {{^}}}
define void @own(ptr %to) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @own.spawn, ptr null, i32 1, i32 1, i32 0, ptr %to)
  call void @use()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @own.spawn(ptr %to) nounwind "nopal-helper"="own" {
  %own = call i64 asm sideeffect "", "={r10},~{dirflag},~{fpsr},~{flags}"()
  store i64 %own, ptr %to
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use() nounwind
