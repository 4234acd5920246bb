; What each round of a loop would store is stored once before it: of the outermost loop in which it stays the same, and not if the spawn is seldom reached.
; RUN: %split %s | FileCheck %s

; CHECK: @[[F:f.site]] = internal constant
; CHECK: @[[NESTED:nested.site]] = internal constant
; CHECK: @[[TWO0:two.site]] = internal constant {{.*}}, i32 0, i32 0, ptr @two.steals
; CHECK: @[[TWO1:two.site.*]] = internal constant {{.*}}, i32 1, i32 0, ptr @two.steals
; CHECK: @[[WAITS:waits.site]] = internal constant
; CHECK: @[[SELDOM:seldom.site]] = internal constant
; CHECK: @[[WAYS:ways.site]] = internal constant
; CHECK: @[[PLAIN:plain.site]] = internal constant
; CHECK: @[[INNER:regions.site]] = internal constant

; CHECK-LABEL: define void @f(
; CHECK:       front:
; CHECK-NEXT:    call void @use(i64 %n)
; CHECK-NEXT:    %[[N:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 64
; CHECK-NEXT:    store i64 %n, ptr %[[N]]
; CHECK-NEXT:    %[[JOIN:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 8
; CHECK-NEXT:    store i64 0, ptr %[[JOIN]]
; CHECK-NEXT:    store i64 ptrtoint (ptr @[[F]] to i64), ptr %nopal.frame
; CHECK:       loop:
; CHECK:         %[[I:.*]] = getelementptr {{.*}}i8, ptr %nopal.frame, i64 72
; CHECK-NEXT:    store i64 %i, ptr %[[I]]
; CHECK-NOT:     store {{.*}}, ptr %nopal.frame
; CHECK-NOT:     getelementptr {{.*}}, ptr %nopal.frame
; CHECK:         call void @work(i64 %i)
; CHECK:       {{^}}}
define void @f(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  %some = icmp sgt i64 %n, 0
  br i1 %some, label %front, label %done

front:
  call void @use(i64 %n)
  br label %loop

loop:
  %i = phi i64 [ 0, %front ], [ %next, %loop ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

; %n stays the same in both loops, %row in the inner one; the slow clone comes to the inner one's front, too.
; CHECK-LABEL: define void @nested(
; CHECK:       entry:
; CHECK-NOT:   br
; CHECK:         store i64 %n, ptr %[[N:.*]], align
; CHECK:         store i64 0, ptr
; CHECK-NEXT:    store i64 ptrtoint (ptr @[[NESTED]] to i64), ptr %nopal.frame
; CHECK:       rows:
; CHECK:         %row = call i64 @more()
; CHECK:         store i64 %row, ptr %[[ROW:.*]], align
; CHECK:       columns:
; CHECK-NOT:     store i64 %row
; CHECK-NOT:     store i64 %n,
; CHECK-NOT:     @[[NESTED]]
; CHECK:         call void @work(i64 %column)
; CHECK:       {{^}}}
define void @nested(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %rows

rows:
  %row = call i64 @more()
  br label %columns

columns:
  %column = phi i64 [ 0, %rows ], [ %next, %columns ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %column)
  %next = add i64 %column, %row
  %again = icmp slt i64 %next, %n
  br i1 %again, label %columns, label %end

end:
  %more = icmp slt i64 %row, %n
  br i1 %more, label %rows, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

; Of two spawns each is named each time.
; CHECK-LABEL: define void @two(
; CHECK-NOT:     @two.site
; CHECK:       loop:
; CHECK:         store i64 ptrtoint (ptr @[[TWO0]] to i64), ptr %nopal.frame
; CHECK:         call void @work(i64 %i)
; CHECK:         store i64 ptrtoint (ptr @[[TWO1]] to i64), ptr %nopal.frame
; CHECK:         call void @work(i64 %i)
; CHECK:       {{^}}}
define void @two(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %i)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

; After a sync the header may name the slow clone's spawn.
; CHECK-LABEL: define void @waits(
; CHECK:       entry:
; CHECK:         store i64 %n, ptr
; CHECK-NOT:     @[[WAITS]]
; CHECK:       loop:
; CHECK-NOT:     store i64 %n,
; CHECK:         store i64 ptrtoint (ptr @[[WAITS]] to i64), ptr %nopal.frame
; CHECK:         call void @work(i64 %i)
; CHECK:       {{^}}}
define void @waits(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %i)
  call void @use(i64 %i)
  call void @__nopal_sync(i32 0)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret void
}

; CHECK-LABEL: define void @seldom(
; CHECK:       entry:
; CHECK-NOT:     ptr %nopal.frame
; CHECK:       spawn:
; CHECK:         store i64 %n, ptr
; CHECK:         store i64 0, ptr
; CHECK:         store i64 ptrtoint (ptr @[[SELDOM]] to i64), ptr %nopal.frame
; CHECK:       {{^}}}
define void @seldom(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %later ]
  %bits = call i64 @more()
  %is = icmp eq i64 %bits, 0
  br i1 %is, label %spawn, label %later, !prof !0

spawn:
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %i)
  br label %later

later:
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

!0 = !{!"branch_weights", i32 1, i32 1000}

; A loop that is entered from two places gets a block in front.
; CHECK-LABEL: define void @ways(
; CHECK:       loop.preheader:
; CHECK:         store i64 0, ptr
; CHECK-NEXT:    store i64 ptrtoint (ptr @[[WAYS]] to i64), ptr %nopal.frame
; CHECK:       loop:
; CHECK-NOT:     @[[WAYS]]
; CHECK:       {{^}}}
define void @ways(i64 %n, i1 %c) noinline nounwind "nopal-spawner" {
entry:
  br i1 %c, label %a, label %loop

a:
  call void @use(i64 %n)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ 7, %a ], [ %next, %loop ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

; Without optimization nothing is moved.
; CHECK-LABEL: define void @plain(
; CHECK:       loop:
; CHECK:         store i64 %n, ptr
; CHECK:         store i64 0, ptr
; CHECK-NEXT:    store i64 ptrtoint (ptr @[[PLAIN]] to i64), ptr %nopal.frame
; CHECK:       {{^}}}
define void @plain(i64 %n) noinline nounwind optnone "nopal-spawner" {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 0)
  ret void
}

; With several regions something may be pending in the header: it is made at the entry, and by no loop.
; CHECK-LABEL: define void @regions(
; CHECK:         store i64 0, ptr
; CHECK-NOT:     store i64 0, ptr
; CHECK:         store i64 ptrtoint (ptr @[[INNER]] to i64), ptr %nopal.frame
; CHECK-NOT:     store i64 0, ptr
; CHECK:       {{^}}}
define void @regions(i64 %n) noinline nounwind "nopal-spawner" {
entry:
  call void @use(i64 %n)
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 1, i64 %i)
  %next = add i64 %i, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %done

done:
  call void @__nopal_sync(i32 1)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %n)
  call void @use(i64 %n)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(i64 %i) nounwind "nopal-helper"="f" {
  call void @work(i64 %i)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(i64) nounwind
declare void @use(i64) nounwind
declare i64 @more() nounwind

; A slow clone stores before the loops that it comes to, and names its own spawn each time.
; CHECK-LABEL: define internal ptr @f.slow(
; CHECK:         %[[N:.*]] = load i64,
; CHECK-NOT:     store i64 %[[N]],
; CHECK:         or disjoint i64 ptrtoint (ptr @[[F]] to i64), 1
; CHECK-NOT:     store i64 %[[N]],
; CHECK:       {{^}}}
; CHECK-LABEL: define internal ptr @nested.slow(
; CHECK:         %[[ROW:row.*]] = call i64 @more()
; CHECK:         store i64 %[[ROW]], ptr
; CHECK:       columns{{.*}}:
; CHECK-NOT:     store i64 %[[ROW]], ptr
; CHECK:         call void @f.spawn(
; CHECK:       {{^}}}
