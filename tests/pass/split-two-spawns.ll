; Each spawn is a case of the slow clone's switch; a slow clone pushes its own spawns with bit 0 of the site set.
; RUN: %split %s | FileCheck %s

; CHECK: @[[SITE0:f.site[.0-9]*]] = internal constant {{.*}} { ptr @f.slow, {{.*}}, i32 0, i32 0, ptr @f.steals
; CHECK: @[[SITE1:f.site[.0-9]*]] = internal constant {{.*}} { ptr @f.slow, {{.*}}, i32 1, i32 0, ptr @f.steals

; CHECK-LABEL: define void @f()
; CHECK:         store i64 ptrtoint (ptr @[[SITE0]] to i64), ptr %nopal.frame
; CHECK:         call void @work(i32 1)
; CHECK:         store i64 ptrtoint (ptr @[[SITE1]] to i64), ptr %nopal.frame
; CHECK:         call void @work(i32 2)

; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK:         %[[SITE:.*]] = load i64, ptr %frame
; CHECK-NEXT:    %[[BARE:.*]] = and i64 %[[SITE]], -2
; CHECK-NEXT:    %[[ADDRESS:.*]] = inttoptr i64 %[[BARE]] to ptr
; CHECK-NEXT:    %[[FIELD:.*]] = getelementptr {{.*}}i8, ptr %[[ADDRESS]], i64 32
; CHECK-NEXT:    %index = load i32, ptr %[[FIELD]]
; CHECK-NEXT:    switch i32 %index, label %never [
; CHECK-NEXT:      i32 0, label %[[FIRST:.*]]
; CHECK-NEXT:      i32 1, label %[[SECOND:.*]]
; CHECK-NEXT:    ]
; CHECK:       [[SECOND]]:
; CHECK-NEXT:    call void @more(i32 2)
; CHECK-NEXT:    call ptr @nopal_sync(
; CHECK:       [[FIRST]]:
; CHECK-NEXT:    call void @more(i32 1)
; CHECK-NEXT:    %[[SLOW:.*]] = or disjoint i64 ptrtoint (ptr @[[SITE1]] to i64), 1
; CHECK-NEXT:    store i64 %[[SLOW]], ptr %frame
; CHECK-NEXT:    call preserve_mostcc i64 @nopal_fast_push(ptr {{.*}}%frame)
; CHECK-NEXT:    call void @f.spawn(i32 2)
; CHECK-NEXT:    call preserve_mostcc {{.*}}i1 @nopal_fast_pop(ptr {{.*}}%frame, i64 0)
define void @f() noinline nounwind "nopal-spawner" {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 1)
  call void @more(i32 1)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i32 2)
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
