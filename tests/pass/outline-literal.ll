; A compound literal of C outlives the statement that makes it: it is shared (1). Where the statement
; may come again before a sync of its region (2), each execution has its own, a sync of another
; region or not; not where the sync of its region stands between (3).
; RUN: %outline %s | FileCheck %s
; RUN: %outline %s | not grep 'call.*__nopal_literal'

; CHECK-LABEL: define void @f()
; CHECK:         %once = alloca [2 x i64]
; CHECK:         %synced = alloca [4 x i64]
; CHECK-NOT:     __nopal_private
; CHECK:         @__nopal_spawn(ptr @f.spawn, {{.*}}, ptr %once)
; CHECK:         [[OWN:%again[0-9]*]] = call ptr @__nopal_private(i64 24, i64 8)
; CHECK:         @__nopal_spawn(ptr @f.spawn.1, {{.*}}, ptr [[OWN]])
; CHECK-NOT:     __nopal_private
; CHECK:         @__nopal_spawn(ptr @f.spawn.2, {{.*}}, ptr %synced)
define void @f() nounwind {
  %once = alloca [2 x i64]
  %again = alloca [3 x i64]
  %synced = alloca [4 x i64]
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  store i64 1, ptr %once
  call void @__nopal_literal(i32 1, ptr %once)
  call void @work(ptr %once) "nopal-spawned"
  call void @__nopal_end(i32 1)
  br label %loop
loop:
  call void @__nopal_begin(i32 2, ptr null, i32 1, i32 1, i32 0)
  store i64 1, ptr %again
  call void @__nopal_literal(i32 2, ptr %again)
  call void @work(ptr %again) "nopal-spawned"
  call void @__nopal_end(i32 2)
  call void @__nopal_sync(i32 1)
  %c = call i1 @more()
  br i1 %c, label %loop, label %next
next:
  call void @__nopal_begin(i32 3, ptr null, i32 1, i32 1, i32 0)
  store i64 1, ptr %synced
  call void @__nopal_literal(i32 3, ptr %synced)
  call void @work(ptr %synced) "nopal-spawned"
  call void @__nopal_end(i32 3)
  %d = call i1 @more()
  br i1 %d, label %wait, label %done
wait:
  call void @__nopal_sync(i32 0)
  br label %next
done:
  call void @__nopal_sync(i32 0)
  ret void
}

declare i1 @more()
declare void @work(ptr)
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_literal(i32, ptr)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
