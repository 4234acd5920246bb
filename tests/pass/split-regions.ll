; With spawns of two sync regions an outer child's exception may be pending in an inner one: each sync of the fast clone tests for its own.
; RUN: %split %s | FileCheck %s
;
; Otherwise (all other tests) a sync is no code. The header is made once, at the entry, since what is pending outlives a spawn.

; CHECK-LABEL: define void @f()
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %nopal.frame = alloca
; CHECK-NEXT:    %[[JOIN:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 8
; CHECK-NEXT:    store i64 0, ptr %[[JOIN]]
; CHECK-NOT:     store i64 0,
; CHECK:         call void @work(i32 1)
; CHECK-NOT:     store i64 0,
; CHECK:         call void @work(i32 2)
; CHECK-NOT:     store i64 0,
; CHECK:         call void @more(i32 1)
; CHECK-NEXT:    %[[WORD:.*]] = load i64, ptr %[[JOIN]]
; CHECK-NEXT:    %[[THREW:.*]] = and i64 %[[WORD]], 1
; CHECK-NEXT:    %[[NONE:.*]] = icmp eq i64 %[[THREW]], 0
; CHECK-NEXT:    br i1 %[[NONE]], label %[[INNER:.*]], label %[[RAISE:.*]], !prof
; CHECK:       [[RAISE]]:
; CHECK-NEXT:    call void @nopal_raise_pending(ptr {{.*}}%nopal.frame, i32 1)
; CHECK-NEXT:    br label %[[INNER]]
; CHECK:       [[INNER]]:
; CHECK:         call void @more(i32 2)
; CHECK:         %[[WORD:.*]] = load i64, ptr %[[JOIN]]
; CHECK:         call void @nopal_raise_pending(ptr {{.*}}%nopal.frame, i32 0)
define void @f() noinline "nopal-spawner" {
entry:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 1, i32 2)
  call void @more(i32 1)
  call void @__nopal_sync(i32 1)
  call void @more(i32 2)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(i32 %i) nounwind "nopal-helper"="f" {
  call void @work(i32 %i)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i32) nounwind
declare void @more(i32) nounwind
