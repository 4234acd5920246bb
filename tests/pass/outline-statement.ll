; The call and the store of its result move into the helper; arguments stay; the marker gets helper, place, region and operands.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %x = alloca i64
; CHECK:         %argument = call i64 @g(i64 %n)
; CHECK-NEXT:    br label %spawn
; CHECK:       spawn:
; CHECK-NEXT:    call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr @file, i32 12, i32 7, i32 3, i64 %argument, ptr %x)
; CHECK-NEXT:    br label %[[END:.*]]
; CHECK:       [[END]]:
; CHECK-NEXT:    call void @use(ptr %x)

; CHECK:       define internal void @f.spawn(i64 %argument, ptr %x) #[[ATTRS:[0-9]+]] {
; CHECK-NEXT:  entry:
; CHECK-NEXT:    br label %[[CHILD:.*]]
; CHECK:       [[CHILD]]:
; CHECK-NEXT:    %result = call i64 @work(i64 %argument){{$}}
; CHECK-NEXT:    store i64 %result, ptr %x
; CHECK-NEXT:    br label %child.done
; CHECK:       child.done:
; CHECK-NEXT:    ret void
; CHECK:       attributes #[[ATTRS]] = {{.*}}"nopal-helper"="f"
@file = private constant [6 x i8] c"a.cpp\00"
define void @f(i64 %n) nounwind {
  %x = alloca i64
  call void @__nopal_begin(i32 1, ptr @file, i32 12, i32 7, i32 3)
  %argument = call i64 @g(i64 %n)
  %result = call i64 @work(i64 %argument) "nopal-spawned"
  store i64 %result, ptr %x
  call void @__nopal_end(i32 1)
  call void @use(ptr %x)
  call void @__nopal_sync(i32 3)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare i64 @g(i64)
declare i64 @work(i64)
declare void @use(ptr)
