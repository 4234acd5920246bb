; A spawn becomes a call in place between two hooks, on its exceptional path too; a sync without a spawn before it is removed.
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-lower-serially,nopal-split' -verify-each -S %s | FileCheck %s
; Not chosen: nothing happens.
; RUN: grep -v '^!' %s | %opt -mtriple=x86_64-pc-linux-gnu -passes='nopal-lower-serially' -S | FileCheck --check-prefix=SPLIT %s
; SPLIT-NOT: nopal_hook

; CHECK: @f.spawn.hooks = internal global { ptr, ptr, i32, i32, i32, i32, ptr } { ptr @[[NAME:.*]], ptr @file, i32 7, i32 3, i32 1, i32 0, ptr null }
@file = private constant [6 x i8] c"a.cpp\00"

; CHECK-LABEL: define void @f(i64 %n) personality
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %x = alloca i64
; CHECK-NEXT:    call void @nopal_hook_enter(ptr @[[F:.*]])
; CHECK-NEXT:    call void @nopal_hook_spawn(ptr @f.spawn.hooks)
; CHECK-NEXT:    invoke void @f.spawn(i64 %n, ptr %x)
; CHECK-NEXT:            to label %returned unwind label %[[THROWN:.*]]
; CHECK:       returned:
; CHECK-NEXT:    call void @nopal_hook_return(ptr @f.spawn.hooks)
; CHECK:         invoke void @other()
; CHECK:         call void @nopal_hook_sync(ptr @[[F]])
; CHECK:         call void @nopal_hook_leave(ptr @[[F]])
; CHECK-NEXT:    ret void
; CHECK:       [[THROWN]]:
; CHECK-NEXT:    landingpad { ptr, i32 }
; CHECK-NEXT:            cleanup
; CHECK-NEXT:            catch ptr @type
; CHECK-NEXT:    call void @nopal_hook_return(ptr @f.spawn.hooks)
; CHECK:         call void @nopal_hook_leave(ptr @[[F]])
; CHECK-NEXT:    resume
define void @f(i64 %n) personality ptr @__gxx_personality_v0 {
entry:
  %x = alloca i64
  call void @__nopal_sync(i32 0)
  invoke void (...) @__nopal_spawn(ptr @f.spawn, ptr @file, i32 7, i32 3, i32 0, i64 %n, ptr %x)
          to label %next unwind label %pad
next:
  invoke void @other() to label %end unwind label %pad
end:
  call void @__nopal_sync(i32 0)
  call void @__nopal_sync(i32 0)
  ret void
pad:
  %e = landingpad { ptr, i32 } catch ptr @type
  call void @__nopal_sync(i32 0)
  resume { ptr, i32 } %e
}

; A call that may throw past a function that spawns passes its hooks.
; CHECK-LABEL: define void @without_pads(
; CHECK:         invoke void @f.spawn(i64 1, ptr %p)
; CHECK:         unwind label %thrown
; CHECK:         invoke void @other()
; CHECK:       thrown:
; CHECK:         call void @nopal_hook_return(
; CHECK-NEXT:    call void @nopal_hook_leave(
; CHECK-NEXT:    resume
; CHECK:       nopal.leave:
; CHECK:         call void @nopal_hook_leave(
; CHECK-NEXT:    resume
define void @without_pads(ptr %p) {
  call void (...) @__nopal_spawn(ptr @f.spawn, ptr @file, i32 8, i32 3, i32 0, i64 1, ptr %p)
  call void @other()
  call void @__nopal_sync(i32 0)
  ret void
}

; No exception: no pad.
; CHECK-LABEL: define void @nothrow(
; CHECK:         call void @f.spawn(i64 1, ptr %p)
; CHECK:         call void @other()
; CHECK-NOT:     landingpad
; CHECK:       }
define void @nothrow(ptr %p) nounwind {
  call void (...) @__nopal_spawn(ptr @f.spawn, ptr @file, i32 9, i32 3, i32 0, i64 1, ptr %p)
  call void @other()
  call void @__nopal_sync(i32 0)
  ret void
}

; Storage for one execution of a spawn is told to the tool.
; CHECK-LABEL: define void @private(
; CHECK:         %[[MEMORY:.*]] = alloca [24 x i8], align 8
; CHECK:         call void @nopal_hook_fresh(ptr %[[MEMORY]], i64 24)
define void @private() nounwind {
  %p = call ptr @__nopal_private(i64 24, i64 8)
  call void (...) @__nopal_spawn(ptr @f.spawn, ptr @file, i32 9, i32 3, i32 0, i64 1, ptr %p)
  call void @__nopal_sync(i32 0)
  ret void
}

define internal void @f.spawn(i64 %n, ptr %x) "nopal-helper"="f" {
  call void @other()
  store i64 %n, ptr %x
  ret void
}

@type = external constant ptr
declare void @other()
declare void @__nopal_spawn(...)
declare void @__nopal_sync(i32)
declare ptr @__nopal_private(i64, i64)
declare i32 @__gxx_personality_v0(...)
!llvm.module.flags = !{!0}
!0 = !{i32 7, !"nopal-serial", i32 1}
