; What a debugger knows of the rest of a function that was cut: values that it got, under the variables' names; not what was assigned on some of the
; ways to it only, nor what it did not get. Its subprogram has the function's name.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define internal i64 @f.late(
; CHECK-SAME:    i64 %m, i64 %n) {{.*}} !dbg ![[LATE:[0-9]+]]
; CHECK-NOT:     store
; CHECK:         #dbg_value(i64 %n, ![[N:[0-9]+]],
; CHECK:         #dbg_value(i64 poison, ![[GONE:[0-9]+]],
; CHECK:         #dbg_value(i64 %m, ![[M:[0-9]+]],
; CHECK-NEXT:    #dbg_value(i64 poison, ![[SOME:[0-9]+]],
; CHECK:         call void @use(
; CHECK-DAG: ![[LATE]] = distinct !DISubprogram(name: "f",
; CHECK-DAG: ![[N]] = !DILocalVariable(name: "n", arg: 1, scope: ![[LATE]],
; CHECK-DAG: ![[M]] = !DILocalVariable(name: "m", scope: ![[LATE]],
; CHECK-DAG: ![[GONE]] = !DILocalVariable(name: "gone", scope: ![[LATE]],
; CHECK-DAG: ![[SOME]] = !DILocalVariable(name: "some", scope: ![[LATE]],
define i64 @f(i64 %n) noinline nounwind "nopal-spawner" !dbg !4 {
entry:
    #dbg_value(i64 %n, !8, !DIExpression(), !6)
  %a0 = mul i64 %n, 13, !dbg !6
    #dbg_value(i64 %a0, !9, !DIExpression(), !6)
  %a1 = xor i64 %a0, %n, !dbg !6
  %a2 = lshr i64 %a1, 3, !dbg !6
  %m = add i64 %a2, %n, !dbg !6
    #dbg_value(i64 %m, !10, !DIExpression(), !6)
    #dbg_value(i64 %m, !11, !DIExpression(), !6)
  %big = icmp sgt i64 %m, 1000, !dbg !6
  br i1 %big, label %work, label %small, !dbg !6

small:
  %q = sub i64 %m, %n, !dbg !6
    #dbg_value(i64 %q, !11, !DIExpression(), !6)
  %leaf = icmp slt i64 %q, 7, !dbg !6
  br i1 %leaf, label %end, label %work, !dbg !6

work:
  call void @use(i64 %m), !dbg !6
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, i64 %m), !dbg !6
  call void @use(i64 %n), !dbg !6
  call void @__nopal_sync(i32 0), !dbg !6
  ret i64 %n, !dbg !6

end:
  ret i64 %m, !dbg !6
}

define internal void @f.spawn(i64 %n) nounwind "nopal-helper"="f" {
  %v = call i64 @f(i64 %n)
  ret void
}

declare void @use(i64)
declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "f.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{!7, !7})
!4 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DILocation(line: 2, scope: !4)
!7 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "n", arg: 1, scope: !4, file: !1, line: 1, type: !7)
!9 = !DILocalVariable(name: "gone", scope: !4, file: !1, line: 2, type: !7)
!10 = !DILocalVariable(name: "m", scope: !4, file: !1, line: 2, type: !7)
!11 = !DILocalVariable(name: "some", scope: !4, file: !1, line: 2, type: !7)
