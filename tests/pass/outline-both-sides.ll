; A scalar that carries nothing into the child and nothing out of it (where a cleanup goes on) is an alloca of each side.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %cleanup.dest = alloca i32
; CHECK:         @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
; CHECK:         store i32 %n, ptr %cleanup.dest
; CHECK:       define internal void @f.spawn()
; CHECK:         %[[OWN:cleanup.dest.*]] = alloca i32
; CHECK:         store i32 1, ptr %[[OWN]]
; CHECK:         %child.goes = load i32, ptr %[[OWN]]
define void @f(i32 %n) nounwind {
  %cleanup.dest = alloca i32
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  store i32 1, ptr %cleanup.dest
  %child.goes = load i32, ptr %cleanup.dest
  call void @go(i32 %child.goes)
  call void @__nopal_end(i32 1)
  store i32 %n, ptr %cleanup.dest
  %goes = load i32, ptr %cleanup.dest
  call void @go(i32 %goes)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
declare void @go(i32)
