; A temporary that the parent builds for the child is private storage, fresh at each execution, without lifetime markers.
; Not on LLVM 19: this IR is LLVM 22's own.
; UNSUPPORTED: llvm-19
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK-NOT:     alloca
; CHECK-NOT:     llvm.lifetime
; CHECK:       loop:
; CHECK:         %[[T:temporary.*]] = call ptr @__nopal_private(i64 24, i64 16)
; CHECK-NEXT:    call void @build(ptr %[[T]])
; CHECK:         @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %[[T]])
; CHECK-NOT:     llvm.lifetime
; CHECK:         br i1
; CHECK:       declare noalias nonnull ptr @__nopal_private(i64, i64) #[[ATTRS:[0-9]+]]
; CHECK:       define internal void @f.spawn(ptr %[[T:temporary[^)]*]])
; CHECK-NOT:     llvm.lifetime
; CHECK:         call void @work(ptr %[[T]])
; CHECK-NEXT:    call void @destroy(ptr %[[T]])
; CHECK-NOT:     llvm.lifetime
; CHECK:       {{^}$}}
; CHECK:       attributes #[[ATTRS]] = { nounwind }
define void @f() nounwind {
entry:
  %temporary = alloca [3 x i64], align 16
  br label %loop

loop:
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @llvm.lifetime.start.p0(ptr %temporary)
  call void @build(ptr %temporary)
  call void @work(ptr %temporary) "nopal-spawned"
  call void @destroy(ptr %temporary)
  call void @llvm.lifetime.end.p0(ptr %temporary)
  call void @__nopal_end(i32 1)
  %more = call i1 @more()
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @build(ptr)
declare void @work(ptr)
declare void @destroy(ptr)
declare i1 @more()
