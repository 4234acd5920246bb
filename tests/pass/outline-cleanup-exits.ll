; The default of a switch over a cleanup's destination, which no path takes, does not make the function's end a part of a spawned
; block. One that may be taken stays.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         @__nopal_spawn(ptr @f.spawn
; CHECK:       end:
; CHECK-LABEL: define i32 @stays(
; CHECK:         br i1 %cond, label %one, label %other
; CHECK-LABEL: define i32 @narrowed(
; CHECK:         br i1 %cond, label %one, label %first
; CHECK:       first:
; CHECK:         br label %two
; CHECK-LABEL: define internal void @f.spawn(
; CHECK-NOT:     @last
; CHECK:         call void @destroy()
; CHECK:         switch i32 %d, label %never [
; CHECK-NOT:     @last
; CHECK:       {{^}$}}
define void @f(i1 %c) nounwind {
entry:
  %dest = alloca i32
  call void @__nopal_block_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  br i1 %c, label %jump, label %through

jump:
  store i32 6, ptr %dest
  br label %cleanup

through:
  store i32 0, ptr %dest
  br label %cleanup

cleanup:
  call void @destroy()
  %d = load i32, ptr %dest
  switch i32 %d, label %end [
    i32 0, label %next
    i32 6, label %done
  ]

next:
  call void @work()
  br label %done

done:
  call void @__nopal_end(i32 1)
  store i32 1, ptr %dest
  br label %end

end:
  call void @__nopal_sync(i32 0)
  call void @last()
  ret void
}

define i32 @stays(i1 %c, i1 %c2) nounwind {
entry:
  %dest = alloca i32
  call void @__nopal_block_begin(i32 2, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_end(i32 2)
  store i32 1, ptr %dest
  br i1 %c, label %cleanup, label %more

more:
  store i32 2, ptr %dest
  br label %cleanup

cleanup:
  call void @destroy()
  %d = load i32, ptr %dest
  switch i32 %d, label %other [
    i32 1, label %one
  ]

one:
  call void @__nopal_sync(i32 0)
  ret i32 1

other:
  call void @__nopal_sync(i32 0)
  ret i32 2
}

; What came by the first switch's default is not 1.
define i32 @narrowed(i1 %c, i1 %c2) nounwind {
entry:
  %dest = alloca i32
  call void @__nopal_block_begin(i32 3, ptr null, i32 1, i32 1, i32 0)
  call void @work()
  call void @__nopal_end(i32 3)
  store i32 1, ptr %dest
  br i1 %c, label %cleanup, label %more

more:
  store i32 2, ptr %dest
  br label %cleanup

cleanup:
  call void @destroy()
  %d = load i32, ptr %dest
  switch i32 %d, label %first [
    i32 1, label %one
  ]

first:
  call void @destroy()
  %e = load i32, ptr %dest
  switch i32 %e, label %one [
    i32 2, label %two
  ]

one:
  call void @__nopal_sync(i32 0)
  ret i32 1

two:
  call void @__nopal_sync(i32 0)
  ret i32 2
}

declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_sync(i32)
declare void @__nopal_end(i32)
declare void @work()
declare void @destroy()
declare void @last()
