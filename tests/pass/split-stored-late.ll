; A store stands at the spawn, not where its value is defined: a path that turns away in between stores nothing.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @f(
; CHECK:         %value = call i64 @make()
; CHECK-NOT:     store
; CHECK:         br i1 %c, label %spawns, label %{{.*}}
; CHECK:       spawns:
; CHECK:         store i64 %value, ptr
; CHECK-NEXT:    getelementptr
; CHECK-NEXT:    store i64 0,
define i64 @f(i1 %c) noinline nounwind "nopal-spawner" {
  %value = call i64 @make()
  br i1 %c, label %spawns, label %done

spawns:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  call void @use(i64 %value)
  call void @__nopal_sync(i32 0)
  br label %done

done:
  ret i64 %value
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare i64 @make() nounwind
declare void @work() nounwind
declare void @use(i64) nounwind
