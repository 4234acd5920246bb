; A terminate pad that child and parent share is copied: a destructor that throws while the child's exception unwinds ends in the helper.
; RUN: %outline %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK:         invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
; CHECK-NEXT:      to label %{{.*}} unwind label %begin.pad
; CHECK:       begin.pad:
; CHECK:         invoke void @destroy(ptr %own)
; CHECK-NEXT:      to label %{{.*}} unwind label %terminate.pad
; CHECK:       terminate.pad:
; CHECK:         call void @__clang_call_terminate(
; CHECK:       {{^}$}}

; CHECK:       define internal void @f.spawn() {{.*}} personality ptr @__gxx_personality_v0
; CHECK:       child.pad:
; CHECK:         invoke void @destroy(ptr %temporary)
; CHECK-NEXT:      to label %child.raise unwind label %terminate.pad
; CHECK:       terminate.pad:
; CHECK-NEXT:    %[[LP:.*]] = landingpad { ptr, i32 }
; CHECK-NEXT:      catch ptr null
; CHECK-NEXT:    %[[EXN:.*]] = extractvalue { ptr, i32 } %[[LP]], 0
; CHECK-NEXT:    call void @__clang_call_terminate(ptr %[[EXN]])
; CHECK-NEXT:    unreachable
; CHECK:       {{^}$}}
define void @f() personality ptr @__gxx_personality_v0 {
entry:
  %own = alloca i64
  %temporary = alloca i64
  invoke void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0) to label %parent unwind label %begin.pad

parent:
  invoke void @work(ptr %temporary) "nopal-spawned" to label %worked unwind label %child.pad

worked:
  call void @destroy(ptr %temporary) nounwind
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  call void @destroy(ptr %own) nounwind
  ret void

child.pad:
  %child.lp = landingpad { ptr, i32 } catch ptr null
  invoke void @destroy(ptr %temporary) to label %cleanup unwind label %terminate.pad

begin.pad:
  %begin.lp = landingpad { ptr, i32 } catch ptr null
  br label %cleanup

cleanup:
  invoke void @destroy(ptr %own) to label %on unwind label %terminate.pad

on:
  call void @handle() nounwind
  ret void

terminate.pad:
  %terminate.lp = landingpad { ptr, i32 } catch ptr null
  %exception = extractvalue { ptr, i32 } %terminate.lp, 0
  call void @__clang_call_terminate(ptr %exception) noreturn nounwind
  unreachable
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare i32 @__gxx_personality_v0(...)
declare void @__clang_call_terminate(ptr)
declare void @work(ptr)
declare void @destroy(ptr)
declare void @handle()
