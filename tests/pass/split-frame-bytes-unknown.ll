; How far a stack frame reaches is not known (0) with dynamic allocas, an instrumented stack, assembly that moves the stack pointer, or 2 GiB of locals.
; RUN: %split %s | FileCheck %s --implicit-check-not='.steals, i32 {{[1-9]}}'

; CHECK-DAG: @dynamic.site = internal constant {{.*}} ptr @dynamic.steals, i32 0,
define void @dynamic(i64 %n) noinline nounwind "nopal-spawner" {
  %array = alloca i8, i64 %n
  call void @take(ptr %array)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

; One of constant size that is not in the entry block is dynamic.
; CHECK-DAG: @not_at_entry.site = internal constant {{.*}} ptr @not_at_entry.steals, i32 0,
define void @not_at_entry(i1 %c) noinline nounwind "nopal-spawner" {
  br i1 %c, label %then, label %else
then:
  %array = alloca [16 x i8]
  call void @take(ptr %array)
  br label %else
else:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 2, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

; CHECK-DAG: @child.site = internal constant {{.*}} ptr @child.steals, i32 0,
define void @child(i64 %n) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @child.spawn, ptr null, i32 3, i32 1, i32 0, i64 %n)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @child.spawn(i64 %n) nounwind "nopal-helper"="child" {
  %array = alloca i8, i64 %n
  call void @take(ptr %array)
  ret void
}

; CHECK-DAG: @address.site = internal constant {{.*}} ptr @address.steals, i32 0,
define void @address() noinline nounwind sanitize_address "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 4, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

; CHECK-DAG: @assembly.site = internal constant {{.*}} ptr @assembly.steals, i32 0,
define void @assembly() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 5, i32 1, i32 0)
  call void asm sideeffect "subq $$4096, %rsp; call work; addq $$4096, %rsp", "~{memory}"()
  call void @__nopal_sync(i32 0)
  ret void
}

; CHECK-DAG: @pushes.site = internal constant {{.*}} ptr @pushes.steals, i32 0,
define void @pushes() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 6, i32 1, i32 0)
  call void asm sideeffect "PUSHFQ; popq %rax", "~{rax}"()
  call void @__nopal_sync(i32 0)
  ret void
}

; CHECK-DAG: @huge.site = internal constant {{.*}} ptr @huge.steals, i32 0,
define void @huge() noinline nounwind "nopal-spawner" {
  %array = alloca [2147483647 x i8]
  store volatile i8 0, ptr %array
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 7, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work() nounwind
declare void @take(ptr) nounwind
