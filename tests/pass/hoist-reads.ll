; What the calling strand is, and what holds for one thread, is read before a loop that only stores. A call that may change the
; thread keeps both where they are, in the loops around it too.
; RUN: %opt -passes=nopal-hoist-reads -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @stores(
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %s = call ptr @__nopal_strand()
; CHECK-NEXT:    %t = call ptr @__nopal_thread_bound(ptr @local)
; CHECK-NEXT:    br label %outer
; CHECK:       inner:
; CHECK-NEXT:    %i = phi
; CHECK-NEXT:    call void @llvm.assume(
; CHECK-NEXT:    store ptr %s, ptr %to
define void @stores(ptr %to, i64 %n) {
entry:
  br label %outer

outer:
  %j = phi i64 [ 0, %entry ], [ %j1, %next ]
  br label %inner

inner:
  %i = phi i64 [ 0, %outer ], [ %i1, %inner ]
  %s = call ptr @__nopal_strand()
  %t = call ptr @__nopal_thread_bound(ptr @local)
  call void @llvm.assume(i1 true)
  store ptr %s, ptr %to
  store ptr %t, ptr %to
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %inner, label %next

next:
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %n
  br i1 %again, label %outer, label %end

end:
  ret void
}

; CHECK-LABEL: define void @calls(
; CHECK:       outer:
; CHECK-NOT:   call ptr @__nopal_strand()
; CHECK:       between:
; CHECK-NEXT:    %s = call ptr @__nopal_strand()
; CHECK-NEXT:    br label %inner
define void @calls(ptr %to, i64 %n) {
entry:
  br label %outer

outer:
  %j = phi i64 [ 0, %entry ], [ %j1, %next ]
  call void @unknown()
  br label %between

between:
  br label %inner

inner:
  %i = phi i64 [ 0, %between ], [ %i1, %inner ]
  %s = call ptr @__nopal_strand()
  store ptr %s, ptr %to
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %inner, label %next

next:
  %j1 = add i64 %j, 1
  %again = icmp ult i64 %j1, %n
  br i1 %again, label %outer, label %end

end:
  ret void
}

@local = thread_local global i64 0
declare void @unknown()
declare void @llvm.assume(i1)
declare ptr @__nopal_strand() #0
declare ptr @__nopal_thread_bound(ptr) #0
attributes #0 = { nounwind willreturn memory(inaccessiblemem: read) }
