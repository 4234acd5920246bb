; A region that is left by a jump is called too: the number of the exit and the returned value come out through memory, and the function continues where the jump leads.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define i64 @f(
; CHECK:         call void @f.region({{.*}}ptr %retval{{.*}})
; CHECK-NOT:     @__nopal_region
; CHECK:         %[[EXIT:.*]] = load i32, ptr %cleanup.dest.slot
; CHECK:         switch i32 %[[EXIT]], label %never [
; CHECK-NEXT:      i32 0, label %next
; CHECK-NEXT:      i32 1, label %return
; CHECK:       return:
; CHECK-NEXT:    load i64, ptr %retval
; CHECK:       {{^}$}}
; CHECK-LABEL: define internal void @f.region(
; CHECK-SAME:    ptr %retval
; CHECK:         call void {{.*}}@__nopal_spawn(
; CHECK:       stay:
; CHECK-NEXT:    store i32 0, ptr %cleanup.dest.slot
; CHECK:         call void @__nopal_sync(i32 0)
; CHECK-NOT:     switch
; CHECK:       leave:
; CHECK-NEXT:    store i64 7, ptr %retval
; CHECK-NEXT:    store i32 1, ptr %cleanup.dest.slot
; CHECK-NOT:     switch
; CHECK:         ret void
define i64 @f(i1 %early) nounwind {
  %retval = alloca i64
  %cleanup.dest.slot = alloca i32
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @child() #0
  call void @__nopal_end(i32 1)
  call void @__nopal_region_begin(i32 2, ptr null, i32 2, i32 2, i32 1)
  call void @__nopal_begin(i32 3, ptr null, i32 3, i32 3, i32 1)
  call void @child() #0
  call void @__nopal_end(i32 3)
  br i1 %early, label %leave, label %stay

leave:
  store i64 7, ptr %retval
  store i32 1, ptr %cleanup.dest.slot
  br label %cleanup

stay:
  store i32 0, ptr %cleanup.dest.slot
  br label %cleanup

cleanup:
  call void @__nopal_sync(i32 1)
  call void @__nopal_region_end(i32 2)
  %exit = load i32, ptr %cleanup.dest.slot
  switch i32 %exit, label %never [
    i32 0, label %next
    i32 1, label %return
  ]

next:
  store i64 9, ptr %retval
  br label %return

return:
  %value = load i64, ptr %retval
  call void @__nopal_sync(i32 0)
  ret i64 %value

never:
  unreachable
}

attributes #0 = { "nopal-spawned" }
declare void @child()
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_region_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_region_end(i32)
declare void @__nopal_sync(i32)
