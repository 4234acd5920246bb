; A fast clone that may return early leaves by its return alone: the other ways out get a branch
; there, which is never taken, so that code generation builds the stack frame after the early
; return.
; RUN: %opt -passes=nopal-early-returns -verify-each -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=KEPT --implicit-check-not='resume {' < %t.ll
; RUN: llc -mtriple=x86_64-pc-linux-gnu %t.ll -o - | FileCheck %s --check-prefix=X86
; RUN: llc -mtriple=aarch64-linux-gnu %t.ll -o - | FileCheck %s --check-prefix=ARM

; CHECK-LABEL: define i64 @early(i64 %n)
; CHECK:       pad:
; CHECK-NEXT:    %e = landingpad
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    %[[E:.*]] = extractvalue { ptr, i32 } %e, 0
; CHECK-NEXT:    call void @_Unwind_Resume(ptr %[[E]]) #[[COLD:[0-9]+]]
; CHECK-NEXT:    br label %end
; CHECK:       raised:
; CHECK-NEXT:    br label %end
; CHECK:       throw:
; CHECK-NEXT:    call void @raise(ptr %x)
; CHECK-NEXT:    br label %end
; CHECK:       never:
; CHECK-NEXT:    unreachable
; CHECK:       end:
; CHECK-NEXT:    %r = phi i64 [ %n, %entry ], [ %v, %work ], [ 0, %pad2 ], [ 0, %pad ], [ 0, %raised ], [ 0, %throw ]

; X86-LABEL: early:
; X86-NOT:     rsp
; X86:         j{{l|ge}}
; ARM-LABEL: early:
; ARM-NOT:     sp
; ARM:         b.{{lt|ge}}
define i64 @early(i64 %n) "nopal-clone"="fast" personality ptr @__gxx_personality_v0 {
entry:
  %x = alloca [64 x i8]
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %first

first:
  %w = invoke i64 @value(ptr %x) to label %work unwind label %pad

work:
  %v = call i64 @value(ptr %x)
  %where = load i8, ptr %x
  switch i8 %where, label %never [
    i8 0, label %end
    i8 1, label %again
    i8 2, label %throw
  ]

again:
  invoke void @raise(ptr %x) to label %raised unwind label %pad2

pad2:
  %e2 = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e2

pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e

raised:
  unreachable

throw:
  call void @raise(ptr %x)
  unreachable

never:
  unreachable

end:
  %r = phi i64 [ %n, %entry ], [ %v, %work ]
  ret i64 %r
}

; The result is known before the block that returns.
; CHECK-LABEL: define i64 @joined(i64 %n)
; CHECK:       end:
; CHECK-NEXT:    %[[R:.*]] = phi i64 [ %r, %join ], [ 0, %pad ]
; CHECK-NEXT:    ret i64 %[[R]]
define i64 @joined(i64 %n) "nopal-clone"="fast" personality ptr @__gxx_personality_v0 {
entry:
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %join, label %first

first:
  %w = invoke i64 @value(ptr null) to label %join unwind label %pad

pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e

join:
  %r = phi i64 [ %n, %entry ], [ %w, %first ]
  br label %end

end:
  ret i64 %r
}

; These stay as they are: nothing returns early; a sanitizer adds code to `resume`; and a slow clone.
; KEPT-COUNT-3: resume {
define i64 @late(i64 %n) "nopal-clone"="fast" personality ptr @__gxx_personality_v0 {
  %w = invoke i64 @value(ptr null) to label %end unwind label %pad

pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e

end:
  ret i64 %w
}

define i64 @sanitized(i64 %n) "nopal-clone"="fast" sanitize_address personality ptr @__gxx_personality_v0 {
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %first

first:
  %w = invoke i64 @value(ptr null) to label %end unwind label %pad

pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e

end:
  %r = phi i64 [ %n, %0 ], [ %w, %first ]
  ret i64 %r
}

define i64 @slow(i64 %n) "nopal-clone"="slow" personality ptr @__gxx_personality_v0 {
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %first

first:
  %w = invoke i64 @value(ptr null) to label %end unwind label %pad

pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e

end:
  %r = phi i64 [ %n, %0 ], [ %w, %first ]
  ret i64 %r
}

; CHECK: attributes #[[COLD]] = { cold }

declare i32 @__gxx_personality_v0(...)
declare void @raise(ptr)
declare i64 @value(ptr)
