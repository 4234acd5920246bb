; A site says how far its function's stack frame reaches below the frame header at most: 4096 bytes, the other locals, the arguments of its calls.
; RUN: %split %s | FileCheck %s

; CHECK-DAG: @plain.site = internal constant {{.*}} i32 0, i32 0, ptr @plain.steals, i32 4096,
define void @plain() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

; An array before the spawns is a local of the fast clone: 4096 + 100000, and 8 rounded up to 16.
; CHECK-DAG: @array.site = internal constant {{.*}} ptr @array.steals, i32 104112,
define void @array() noinline nounwind "nopal-spawner" {
  %array = alloca [100000 x i8], align 16
  %long = alloca i64
  call void @llvm.memset.p0.i64(ptr %array, i8 1, i64 100000, i1 true)
  store volatile i64 0, ptr %long
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 2, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

; One after them is in the frame, which lies above its header.
; CHECK-DAG: @shared.site = internal constant {{.*}} ptr @shared.steals, i32 4096,
define void @shared() noinline nounwind "nopal-spawner" {
  %array = alloca [100000 x i8], align 16
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 3, i32 1, i32 0)
  call void @take(ptr %array)
  call void @__nopal_sync(i32 0)
  ret void
}

; Two over-aligned locals may each have a gap beside it: 4096 + 2 (16 + 4096).
; CHECK-DAG: @aligned.site = internal constant {{.*}} ptr @aligned.steals, i32 12320,
define void @aligned() noinline nounwind "nopal-spawner" {
  %a = alloca i64, align 4096
  %b = alloca i64, align 4096
  store volatile i64 0, ptr %a
  store volatile i64 0, ptr %b
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 4, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

; Arguments by value lie on the stack during the call; calls share the area: 4096 + 2000 - 128 that every function has, not + 1000.
; CHECK-DAG: @by_value.site = internal constant {{.*}} ptr @by_value.steals, i32 5968,
define void @by_value(ptr %p) noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 5, i32 1, i32 0)
  call void @whole(ptr byval([2000 x i8]) align 8 %p)
  call void @whole(ptr byval([1000 x i8]) align 8 %p)
  call void @__nopal_sync(i32 0)
  ret void
}

; Each element of an array that is a value goes over the stack alone: 8 * 100 - 128.
; Values for which there may be no register: 2 * 8 * 100 for the call's operand, and 16 for each instruction; less than the 3072 for spills.
; CHECK-DAG: @first_class.site = internal constant {{.*}} ptr @first_class.steals, i32 4768,
define void @first_class() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @spawn, ptr null, i32 6, i32 1, i32 0)
  call void @elements([100 x i8] zeroinitializer)
  call void @__nopal_sync(i32 0)
  ret void
}

; The child is inlined into the fast clone, and its locals come with it: 4096 + 5008.
; CHECK-DAG: @helper.site = internal constant {{.*}} ptr @helper.steals, i32 9104,
define void @helper() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @helper.spawn, ptr null, i32 7, i32 1, i32 0)
  call void @work()
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @helper.spawn() nounwind "nopal-helper"="helper" {
  %own = alloca [5000 x i8], align 16
  call void @take(ptr %own)
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
declare void @whole(ptr byval([2000 x i8]) align 8) nounwind
declare void @elements([100 x i8]) nounwind
