; The optimizer removed a spawn whose operands never end; its private temporaries become allocas nevertheless.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         %temporary = alloca [24 x i8], align 8
; CHECK-NEXT:    call void @construct(ptr {{.*}}%temporary)
; CHECK-NEXT:    {{.*}}call void @quit()
; CHECK-NOT:     call {{.*}}@__nopal_private
define void @f() noinline nounwind "nopal-spawner" {
  %temporary = tail call ptr @__nopal_private(i64 24, i64 8)
  tail call void @construct(ptr %temporary)
  call void @quit() noreturn
  unreachable
}

declare ptr @__nopal_private(i64, i64)
declare void @construct(ptr)
declare void @quit()
