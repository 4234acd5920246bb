; Variables in registers: described anew where a clone is entered, if their value is live across it or a constant; forgotten where the fast
; Not on LLVM 19, which writes undef for poison.
; UNSUPPORTED: llvm-19
; clone resumes, and where a record speaks of a value that the clone does not have.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define i64 @g(
; CHECK:       entry.split:
; CHECK-NEXT:    %[[AGAIN:.*]] = load i64,
; CHECK-NEXT:    #dbg_value(i64 %[[AGAIN]], ![[TWICE:[0-9]+]], !DIExpression(),
; CHECK-NEXT:    #dbg_value(i64 7, ![[SEVEN:[0-9]+]], !DIExpression(),
; CHECK-NEXT:  call void @use(i64 %[[AGAIN]])
; CHECK:         #dbg_value(i64 %gone, ![[N:[0-9]+]], !DIExpression(),
; CHECK:       entry.split.split:
; CHECK-NEXT:    %[[NOW:.*]] = phi i64 [ %{{.*}}, %stolen ], [ %[[AGAIN]], %entry.split ]
; CHECK-NEXT:    #dbg_value(i64 %[[NOW]], ![[TWICE]], !DIExpression(),
; CHECK-NEXT:    #dbg_value(i64 7, ![[SEVEN]], !DIExpression(),
; CHECK-NEXT:  call void @use(i64 2)
; CHECK:       stolen:
; CHECK:         #dbg_value(i1 poison, ![[N]], !DIExpression(),
; CHECK-NEXT:    #dbg_value(i1 poison, ![[TWICE]], !DIExpression(),
; CHECK-NEXT:    #dbg_value(i1 poison, ![[SEVEN]], !DIExpression(),
; CHECK-NEXT:    #dbg_value(i1 poison,
; CHECK-LABEL: define internal ptr @g.slow(
; CHECK:         %[[LOADED:.*]] = load i64,
; CHECK-NEXT:    #dbg_value(i64 %[[LOADED]], ![[TWICE2:[0-9]+]], !DIExpression(),
; CHECK-NEXT:    #dbg_value(i64 7, ![[SEVEN2:[0-9]+]], !DIExpression(),
; CHECK-NEXT:  call void @use(i64 %[[LOADED]])
; CHECK-NEXT:    #dbg_value(i64 poison, ![[N2:[0-9]+]], !DIExpression(),
; CHECK-NEXT:  call void @use(i64 1)
; CHECK-NOT:     #dbg_value
; CHECK-DAG: ![[TWICE]] = !DILocalVariable(name: "twice",
; CHECK-DAG: ![[SEVEN]] = !DILocalVariable(name: "seven",
; CHECK-DAG: ![[TWICE2]] = !DILocalVariable(name: "twice",
; CHECK-DAG: ![[SEVEN2]] = !DILocalVariable(name: "seven",
; CHECK-DAG: ![[N2]] = !DILocalVariable(name: "n",
define i64 @g(i64 %n) noinline nounwind "nopal-spawner" !dbg !4 {
entry:
    #dbg_value(i64 %n, !8, !DIExpression(), !6)
  %twice = mul i64 %n, 2, !dbg !6
    #dbg_value(i64 %twice, !11, !DIExpression(), !6)
    #dbg_value(i64 7, !12, !DIExpression(), !6)
  %gone = add i64 %n, 1, !dbg !6
    #dbg_value(i64 %gone, !13, !DIExpression(), !6)
  call void @use(i64 %gone), !dbg !6
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @g.spawn, ptr null, i32 1, i32 1, i32 0), !dbg !6
  call void @use(i64 %twice), !dbg !6
    #dbg_value(i64 %gone, !8, !DIExpression(), !6)
  call void @use(i64 1), !dbg !6
  call void @__nopal_sync(i32 0), !dbg !6
  call void @use(i64 2), !dbg !6
  ret i64 %twice, !dbg !6
}

define internal void @g.spawn() nounwind "nopal-helper"="g" {
  call void @use(i64 0)
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @use(i64) nounwind

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "g", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{!8})
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 6, column: 3, scope: !4)
!8 = !DILocalVariable(name: "n", scope: !4, file: !1, line: 6, type: !9)
!9 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!11 = !DILocalVariable(name: "twice", scope: !4, file: !1, line: 6, type: !9)
!12 = !DILocalVariable(name: "seven", scope: !4, file: !1, line: 6, type: !9)
!13 = !DILocalVariable(name: "gone", scope: !4, file: !1, line: 6, type: !9)
