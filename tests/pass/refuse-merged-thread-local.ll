; A read of a thread-local that another pass has merged from two is refused: its variable is unknown.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

@a = thread_local global i64 0
@b = thread_local global i64 0

; CHECK: error: {{.*}} in function f {{.*}}: a 'thread_local' variable that another pass has merged with a second one is not supported; compile without that pass
define i64 @f(i1 %c) nounwind {
  %key = select i1 %c, ptr @a, ptr @b
  %address = call ptr @__nopal_thread_bound(ptr %key)
  %value = load i64, ptr %address
  ret i64 %value
}

declare ptr @__nopal_thread_bound(ptr)
