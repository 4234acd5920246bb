; A function with more than four instructions of tests is cut behind them: its callers from elsewhere find the tests under its name,
; and the rest is a function of its own, which gets what they computed. Where the rest spawns or calls the function, the tests are done
; in place and it goes on with the rest; the frame, the sites and the slow clone are the rest's, under the function's name. With
; -nopal-cheap-tests=9 the same tests are done twice.
; RUN: %split %s | FileCheck %s
; RUN: %split -nopal-cheap-tests=9 %s | FileCheck %s --check-prefix=TWICE

; CHECK: c"f\00"
; CHECK: @f.late.site = internal constant {{.*}} @f.late.slow
; TWICE-NOT: f.late
; TWICE: @f.site = internal constant
; TWICE-NOT: f.late

; The tests, and who gives up goes to the rest with what is known there. It depends on the way there what %s is.
; CHECK-LABEL: define i64 @f(i64 %n, i64 %unused, ptr noalias nonnull %p)
; CHECK-SAME:    #[[BOTH:[0-9]+]]
; CHECK-NEXT:  entry:
; CHECK-NEXT:    mul i64 %n, 13
; CHECK:         %big = icmp
; CHECK-NEXT:    br i1 %big, label %work.late, label %small
; CHECK:       small:
; CHECK:         br i1 %leaf, label %end, label %work.late
; CHECK:       work.late:
; CHECK-NEXT:    %[[S:.*]] = phi i64 [ %q, %small ], [ 1, %entry ]
; CHECK-NEXT:    %[[R:.*]] = tail call i64 @f.late(i64 %[[S]], i64 %m, i64 %n, ptr nonnull %p)
; CHECK-NEXT:    ret i64 %[[R]]
; CHECK:       end:
; CHECK-NEXT:    ret i64 %m
; CHECK-NEXT:  }

; A pointer of its own is no longer the only way to what it points at, and nothing is known of memory.
; CHECK-LABEL: define internal i64 @f.late(
; CHECK-SAME:    i64 %[[S:[^,]*]], i64 %m, i64 %n, ptr nonnull %p) unnamed_addr #[[LATE:[0-9]+]]
; CHECK:         %[[A:.*]] = add{{.*}} i64 %m, -7
; CHECK-NEXT:    %[[T:.*]] = mul i64 %[[S]], %n
; CHECK-NEXT:    store i64 %[[T]], ptr %p
; CHECK-NEXT:    mul i64 %[[A]], 13
; CHECK:         %[[M:.*]] = add i64
; CHECK:         br i1 {{.*}}, label %[[SPAWN:[^,]+]], label %{{.*}}, !prof
; CHECK:       [[SPAWN]]:
; CHECK-NEXT:    %[[S2:.*]] = phi i64 [ 1, %{{.*}} ], [ %{{.*}}, %{{.*}} ]
; CHECK:         store i64 ptrtoint (ptr @f.late.site to i64)
; CHECK:         call i64 @f.late(i64 %[[S2]], i64 %[[M]], i64 %[[A]], ptr nonnull %p)
; CHECK:         call i64 @f.late(
; CHECK:       attributes #[[BOTH]] = { noinline nounwind }
; CHECK:       attributes #[[LATE]] = { noinline nounwind "nopal-late"="f" }
define i64 @f(i64 %n, i64 %unused, ptr noalias nonnull %p) noinline nounwind memory(argmem: readwrite) "nopal-spawner" {
entry:
  %x = alloca i64
  call void @llvm.lifetime.start.p0(ptr %x)
  %a0 = mul i64 %n, 13
  %a1 = xor i64 %a0, %n
  %a2 = lshr i64 %a1, 3
  %m = add i64 %a2, %n
  %big = icmp sgt i64 %m, 1000
  br i1 %big, label %work, label %small

small:
  %q = sub i64 %m, %n
  %leaf = icmp slt i64 %q, 7
  br i1 %leaf, label %end, label %work

work:
  %s = phi i64 [ 1, %entry ], [ %q, %small ]
  %a = add i64 %m, -7
  %t = mul i64 %s, %n
  store i64 %t, ptr %p
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %a, ptr %p, ptr %x)
  %b = sub i64 %a, %s
  %y = call i64 @f(i64 %b, i64 0, ptr nonnull %p)
  call void @__nopal_sync(i32 0)
  %xv = load i64, ptr %x
  %sum = add i64 %xv, %y
  br label %end

end:
  %r = phi i64 [ %m, %small ], [ %sum, %work ]
  call void @__nopal_sync(i32 0)
  ret i64 %r
}

define internal void @f.spawn(i64 %a, ptr %p, ptr %x) nounwind "nopal-helper"="f" {
  %v = call i64 @f(i64 %a, i64 1, ptr nonnull %p)
  store i64 %v, ptr %x
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
