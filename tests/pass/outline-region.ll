; A region that an outer child may reach is called as a function of its own, whose children and syncs have number 0; variables that it only reads go by value, those that it writes by address.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         call void {{.*}}@__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
; CHECK-NOT:     @__nopal_region
; CHECK:         %[[VALUE:.*]] = load i64, ptr %read
; CHECK-NEXT:    call void @f.region(i64 %[[VALUE]], ptr %written)
; CHECK-NOT:     @__nopal_sync(i32 1)
; CHECK:         load i64, ptr %written
; CHECK:         call void @__nopal_sync(i32 0)
; CHECK:       {{^}$}}
; CHECK-LABEL: define internal void @f.region(i64 %{{.*}}, ptr %written)
; CHECK:         call void {{.*}}@__nopal_spawn(ptr @f.spawn{{.*}}, ptr null, i32 3, i32 3, i32 0)
; CHECK:         store i64 %{{.*}}, ptr %written
; CHECK:         call void @__nopal_sync(i32 0)
define void @f(i64 %n) nounwind {
  %read = alloca i64
  %written = alloca i64
  store i64 %n, ptr %read
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @child() #0
  call void @__nopal_end(i32 1)
  call void @__nopal_region_begin(i32 2, ptr null, i32 2, i32 2, i32 1)
  call void @__nopal_begin(i32 3, ptr null, i32 3, i32 3, i32 1)
  call void @child() #0
  call void @__nopal_end(i32 3)
  %1 = load i64, ptr %read
  store i64 %1, ptr %written
  call void @__nopal_sync(i32 1)
  call void @__nopal_region_end(i32 2)
  %2 = load i64, ptr %written
  call void @use(i64 %2)
  call void @__nopal_sync(i32 0)
  ret void
}

attributes #0 = { "nopal-spawned" }
declare void @child()
declare void @use(i64)
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_region_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_region_end(i32)
declare void @__nopal_sync(i32)
