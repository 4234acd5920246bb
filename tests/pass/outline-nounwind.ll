; The marker may unwind as far as the child may: that of a function without exceptions does not.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @quiet()
; CHECK:         @__nopal_spawn(ptr @quiet.spawn, {{.*}}) #[[QUIET:[0-9]+]]
; CHECK-LABEL: define void @loud()
; CHECK:         @__nopal_spawn(ptr @loud.spawn, {{.*}}) #[[LOUD:[0-9]+]]
; CHECK-DAG:   attributes #[[QUIET]] = { nomerge nounwind }
; CHECK-DAG:   attributes #[[LOUD]] = { nomerge }
define void @quiet() nounwind {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

define void @loud() {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
