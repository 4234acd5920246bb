; In the block form everything from the begin to the end is the child's, calls before the last one included.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK-NOT:     @first
; CHECK-NOT:     @second
; CHECK:         @__nopal_spawn(ptr @f.spawn, ptr null, i32 4, i32 5, i32 0, i64 %n)
; CHECK-NOT:     @first
; CHECK-NOT:     @second
; CHECK:       {{^}$}}
; CHECK-LABEL: define internal void @f.spawn(i64 %n)
; CHECK:         call void @first(i64 %n)
; CHECK:         br i1 %{{.*}}, label %{{.*}}, label %{{.*}}
; CHECK:         call void @second(i64 %n)
define void @f(i64 %n) nounwind {
  call void @__nopal_block_begin(i32 1, ptr null, i32 4, i32 5, i32 0)
  call void @first(i64 %n)
  %positive = icmp sgt i64 %n, 0
  br i1 %positive, label %then, label %end

then:
  call void @second(i64 %n)
  br label %end

end:
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @first(i64)
declare void @second(i64)
