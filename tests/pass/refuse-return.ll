; A spawned block out of which the function returns is refused, with the place of the statement.
; RUN: not %outline %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: {{.*}} in function f void (i1): the function seems to return out of this statement; write it as a function of its own
define void @f(i1 %c) nounwind {
  call void @__nopal_block_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  br i1 %c, label %leave, label %done

leave:
  ret void

done:
  call void @work()
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()
