; A helper is an artificial subprogram that begins on the statement's line, with copies of the scopes and variables of its parent that it knows: what it declares itself (y), what it gets by address (x).
; Lines that the parent's part has as well are not counted twice by --coverage.
; RUN: %outline %s | FileCheck %s

; CHECK:       define void @f() {{.*}}!dbg ![[F:[0-9]+]]
; CHECK:         @__nopal_spawn(ptr @f.spawn, {{.*}}, !dbg ![[MARKER:[0-9]+]]
; CHECK:       define internal void @f.spawn(ptr %x) {{.*}}!dbg ![[H:[0-9]+]] !nopal.scopes ![[ORIGINS:[0-9]+]]
; CHECK:         %y = alloca i64
; CHECK:           #dbg_declare(ptr %x, ![[X:[0-9]+]], !DIExpression(), ![[ATX:[0-9]+]])
; CHECK:         call void @work(ptr %x){{.*}}, !dbg ![[SAME:[0-9]+]]
; CHECK:           #dbg_declare(ptr %y, ![[Y:[0-9]+]], !DIExpression(), ![[ATY:[0-9]+]])
; CHECK:         call void @work(ptr %y){{.*}}, !dbg ![[ATY]]
; CHECK:       {{^}$}}
; CHECK-DAG: ![[F]] = distinct !DISubprogram(name: "f",
; CHECK-DAG: ![[MARKER]] = !DILocation(line: 6, column: 3, scope: ![[F]])
; CHECK-DAG: ![[H]] = distinct !DISubprogram(name: "f.spawn", {{.*}}line: 6,{{.*}} flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition
; CHECK-DAG: ![[X]] = !DILocalVariable(name: "x", scope: ![[H]],
; CHECK-DAG: ![[Y]] = !DILocalVariable(name: "y", scope: ![[BLOCK:[0-9]+]],
; CHECK-DAG: ![[BLOCK]] = distinct !DILexicalBlock(scope: ![[H]], file: !{{[0-9]+}}, line: 7, column: 20)
; CHECK-DAG: ![[ATX]] = !DILocation(line: 6, column: 3, scope: ![[H]], isImplicitCode: true)
; CHECK-DAG: ![[ATY]] = !DILocation(line: 7, column: 9, scope: ![[BLOCK]])
; CHECK-DAG: ![[SAME]] = !DILocation(line: 6, column: 9, scope: ![[H]], isImplicitCode: true)
; CHECK-DAG: ![[ORIGINS]] = !{![[H]], ![[F]], ![[BLOCK]], !{{[0-9]+}}, ![[Y]], !{{[0-9]+}}, ![[X]], !{{[0-9]+}}}
define void @f() nounwind !dbg !4 {
  %x = alloca i64
  %y = alloca i64
    #dbg_declare(ptr %x, !8, !DIExpression(), !6)
  call void @__nopal_begin(i32 1, ptr null, i32 6, i32 3, i32 0), !dbg !6
  call void @work(ptr %x) "nopal-spawned", !dbg !12
    #dbg_declare(ptr %y, !10, !DIExpression(), !7)
  call void @work(ptr %y), !dbg !7
  call void @__nopal_end(i32 1), !dbg !7
  call void @work(ptr %x), !dbg !12
  call void @__nopal_sync(i32 0), !dbg !6
  ret void, !dbg !6
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work(ptr)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: false, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{!8})
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 6, column: 3, scope: !4)
!7 = !DILocation(line: 7, column: 9, scope: !11)
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 6, type: !9)
!9 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!10 = !DILocalVariable(name: "y", scope: !11, file: !1, line: 7, type: !9)
!11 = distinct !DILexicalBlock(scope: !4, file: !1, line: 7, column: 20)
!12 = !DILocation(line: 6, column: 9, scope: !4)
