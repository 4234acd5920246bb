; An argument that the call copies (byval) is copied before the spawn, since the call stands after the push: into private
; storage, unless it is such storage already.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         %s = alloca [3 x i64], align 16
; CHECK-NOT:     alloca
; CHECK:         %[[COPY:s.byval.*]] = call ptr @__nopal_private(i64 24, i64 16)
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 16 %[[COPY]], ptr align 16 %s, i64 24, i1 false)
; CHECK-NEXT:    br label %spawn
; CHECK:       spawn:
; CHECK-NEXT:    @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %[[COPY]])
; CHECK:         store i64 100, ptr %s
define void @f() nounwind {
entry:
  %s = alloca [3 x i64], align 16
  store i64 4, ptr %s
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr byval([3 x i64]) align 16 %s) "nopal-spawned"
  call void @__nopal_end(i32 1)
  store i64 100, ptr %s
  call void @__nopal_sync(i32 0)
  call void @use(ptr %s)
  ret void
}

; A part of what a pointer points to.
; CHECK-LABEL: define void @part(
; CHECK:         %[[COPY:.*]] = call ptr @__nopal_private(i64 24, i64 8)
; CHECK:         call void @llvm.memcpy.p0.p0.i64(ptr align 8 %[[COPY]], ptr align 8 %member, i64 24, i1 false)
; CHECK:         @__nopal_spawn(ptr @part.spawn, ptr null, i32 1, i32 1, i32 0, ptr %[[COPY]])
define void @part(ptr %p) nounwind {
entry:
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  %member = getelementptr i8, ptr %p, i64 64
  call void @work(ptr byval([3 x i64]) align 8 %member) "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

; CHECK-LABEL: define void @temporary(
; CHECK:         %[[T:temporary.*]] = call ptr @__nopal_private(i64 24, i64 16)
; CHECK-NEXT:    call void @use(ptr %[[T]])
; CHECK-NOT:     memcpy
; CHECK:         @__nopal_spawn(ptr @temporary.spawn, ptr null, i32 1, i32 1, i32 0, ptr %[[T]])
define void @temporary() nounwind {
entry:
  %temporary = alloca [3 x i64], align 16
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @use(ptr %temporary)
  call void @work(ptr byval([3 x i64]) align 16 %temporary) "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work(ptr)
declare void @use(ptr)
