; After a spawn the fast clone reads values from their slots, where a thief would find them, so none needs a register across the
; child: also where the child has thrown, and where the clone goes on after it was suspended. In a loop a pointer or an integer
; keeps its register; what no register of the callee's can keep is read there, too.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         store i64 %n, ptr %[[SLOT:[0-9]+]],
; CHECK:         invoke void @work()
; CHECK:         %[[BACK:.*]] = load i64, ptr %[[SLOT]],
; CHECK-NEXT:    call void @use(i64 %[[BACK]])
; CHECK-NOT:     call void @use(i64 %n)
; CHECK:       child.thrown:
; CHECK-NEXT:    %[[THROWN:.*]] = load i64, ptr %[[SLOT]],
; CHECK-NEXT:    call void @use(i64 %[[THROWN]])
; CHECK-NEXT:    resume
define void @f(i64 %n) noinline "nopal-spawner" personality ptr @__gxx_personality_v0 {
entry:
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0) to label %cont unwind label %pad

cont:
  call void @use(i64 %n)
  call void @__nopal_sync(i32 0)
  ret void

pad:
  %lp = landingpad { ptr, i32 } cleanup
  call void @use(i64 %n)
  resume { ptr, i32 } %lp
}

; CHECK-LABEL: define void @loop(
; CHECK:         call void @work()
; CHECK:         %[[X:.*]] = load double, ptr
; CHECK-NEXT:    %next = add i64 %left, -1
; CHECK-NEXT:    call void @weigh(double %[[X]])
define void @loop(i64 %n, double %x) noinline nounwind "nopal-spawner" {
entry:
  br label %round

round:
  %left = phi i64 [ %n, %entry ], [ %next, %cont ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
  br label %cont

cont:
  %next = add i64 %left, -1
  call void @weigh(double %x)
  %more = icmp ne i64 %next, 0
  br i1 %more, label %round, label %end

end:
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn() "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work()
declare void @use(i64) nounwind
declare void @weigh(double) nounwind
declare i32 @__gxx_personality_v0(...)
