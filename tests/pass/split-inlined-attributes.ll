; A helper that is inlined brings what its attributes ask of code generation: with 0 a vector of 512
; bits would be passed in two registers.
; RUN: %split %s | FileCheck %s

; CHECK: define void @f() #[[FAST:[0-9]+]]
; CHECK: attributes #[[FAST]] = { {{.*}}"min-legal-vector-width"="512"
define void @f() noinline nounwind "min-legal-vector-width"="0" "nopal-spawner" {
entry:
  br label %loop

loop:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  %more = call i1 @more()
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() nounwind "min-legal-vector-width"="512" "nopal-helper"="f" {
  call void @work(<8 x i64> zeroinitializer)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(<8 x i64>) nounwind
declare i1 @more() nounwind
