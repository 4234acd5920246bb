; A helper and its parent agree on the registers of a vector that is passed by value, whatever is inlined into them later.
; RUN: %outline %s | FileCheck %s

; CHECK-DAG: define void @f({{.*}}) #[[F:[0-9]+]]
; CHECK-DAG: define internal void @f.spawn({{.*}}<8 x i64> %{{.*}}) #[[CHILD:[0-9]+]]
; CHECK-DAG: define void @g({{.*}}) #[[G:[0-9]+]]
; CHECK-DAG: attributes #[[F]] = { {{.*}}"min-legal-vector-width"="512"
; CHECK-DAG: attributes #[[CHILD]] = { {{.*}}"min-legal-vector-width"="512"
; CHECK-DAG: attributes #[[G]] = { {{.*}}"min-legal-vector-width"="128"
define void @f(i64 %n) nounwind "min-legal-vector-width"="128" {
  %argument = alloca <8 x i64>
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  store <8 x i64> zeroinitializer, ptr %argument
  br label %child

child:
  call void @first(i64 %n) "nopal-spawned"
  %now = load <8 x i64>, ptr %argument
  %element = extractelement <8 x i64> %now, i64 %n
  call void @first(i64 %element)
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

; No vector is passed here.
define void @g(i64 %n) nounwind "min-legal-vector-width"="128" {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  br label %child

child:
  call void @first(i64 %n) "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @first(i64)
