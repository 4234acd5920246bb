; In a module with pedigrees the strand is saved before each spawn and sync and advances after it; a child makes a node of it.
; An iteration learns its number, and an exception takes the next strand along. Without the flag no call is there.
; RUN: %outline %s | FileCheck %s
; RUN: sed 's/"nopal-pedigrees"/"another"/' %s | %outline | FileCheck --check-prefix=NONE %s

; NONE-NOT: nopal_pedigree

; CHECK-LABEL: define void @f(
; CHECK:         %pedigree = alloca [4 x i64]
; CHECK:         call void @nopal_pedigree_save(ptr %pedigree)
; CHECK-NEXT:    call {{.*}} @__nopal_spawn(ptr @f.spawn
; CHECK-NEXT:    call void @nopal_pedigree_advance(ptr %pedigree)
; CHECK:         call void @nopal_pedigree_save(ptr %pedigree)
; CHECK-NEXT:    call void @__nopal_sync(i32 3)
; CHECK-NEXT:    call void @nopal_pedigree_advance(ptr %pedigree)
define void @f(i64 %n) {
  call void @__nopal_begin(i32 1, ptr @file, i32 12, i32 7, i32 3)
  call void @work(i64 %n) "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 3)
  ret void
}

; CHECK-LABEL: define void @loop(
; CHECK:         %pedigree.loop = alloca [4 x i64]
; CHECK:         call void @nopal_pedigree_loop(ptr %pedigree.loop)
; CHECK:         call {{.*}} @__nopal_loop(ptr @loop.leaf, {{.*}}, ptr %pedigree.loop)
; CHECK:         call void @nopal_pedigree_advance(ptr %pedigree.loop)
define void @loop(i64 %n) {
entry:
  %k = alloca i64
  call void @__nopal_loop_begin(i32 1, ptr @file, i32 3, i32 17, i32 0, i64 %n, i64 0)
  %low = call i64 @__nopal_loop_low(i32 1)
  store i64 %low, ptr %k
  %high = call i64 @__nopal_loop_high(i32 1)
  br label %cond
cond:
  %now = load i64, ptr %k
  %more = icmp ult i64 %now, %high
  br i1 %more, label %body, label %end
body:
  %this = load i64, ptr %k
  call void @work(i64 %this)
  %next = add i64 %this, 1
  store i64 %next, ptr %k
  br label %cond
end:
  call void @__nopal_loop_end(i32 1)
  ret void
}

; CHECK-LABEL: define internal void @f.spawn(
; CHECK:         %pedigree.node = alloca [4 x i64]
; CHECK:         call void @nopal_pedigree_enter(ptr %pedigree.node)
; CHECK:         invoke void @work(
; CHECK:         landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    call void @nopal_pedigree_advance(ptr %pedigree.node)
; CHECK-NEXT:    resume

; CHECK-LABEL: define internal void @loop.leaf(ptr {{.*}}%pedigree.loop,
; CHECK:         %pedigree.iteration = alloca [4 x i64]
; CHECK:         %[[K:[0-9]+]] = load i64, ptr %k
; CHECK-NEXT:    call void @nopal_pedigree_iteration(ptr %pedigree.loop, ptr %pedigree.iteration, i64 %[[K]])
; CHECK:         invoke void @work(
; CHECK:         landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    call void @nopal_pedigree_advance(ptr %pedigree.loop)
; CHECK-NEXT:    resume

@file = private constant [6 x i8] c"a.cpp\00"
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @__nopal_loop_begin(i32, ptr, i32, i32, i32, i64, i64)
declare i64 @__nopal_loop_low(i32)
declare i64 @__nopal_loop_high(i32)
declare void @__nopal_loop_end(i32)
declare void @work(i64)
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"nopal-pedigrees", i32 1}
