; A helper is an artificial subprogram that begins on the statement's line; its calls keep their lines, its variables are not described.
; RUN: %outline %s | FileCheck %s

; CHECK:       define void @f() {{.*}}!dbg ![[F:[0-9]+]]
; CHECK:         @__nopal_spawn(ptr @f.spawn, {{.*}}, !dbg ![[MARKER:[0-9]+]]
; CHECK:       define internal void @f.spawn() {{.*}}!dbg ![[H:[0-9]+]]
; CHECK-NOT:     #dbg_
; CHECK:         call void @work(){{.*}}, !dbg ![[LINE:[0-9]+]]
; CHECK-NOT:     #dbg_
; CHECK:       {{^}$}}
; CHECK-DAG: ![[F]] = distinct !DISubprogram(name: "f",
; CHECK-DAG: ![[MARKER]] = !DILocation(line: 6, column: 3, scope: ![[F]])
; CHECK-DAG: ![[H]] = distinct !DISubprogram(name: "f.spawn", {{.*}}line: 6,{{.*}} flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition
; CHECK-DAG: ![[LINE]] = !DILocation(line: 7, column: 9, scope: ![[H]])
define void @f() nounwind !dbg !4 {
  %x = alloca i64
  call void @__nopal_begin(i32 1, ptr null, i32 6, i32 3, i32 0), !dbg !6
  call void @work() coro_elide_safe, !dbg !7
    #dbg_declare(ptr %x, !8, !DIExpression(), !6)
  call void @__nopal_end(i32 1), !dbg !7
  call void @__nopal_sync(i32 0), !dbg !6
  ret void, !dbg !6
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: false, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{!8})
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 6, column: 3, scope: !4)
!7 = !DILocation(line: 7, column: 9, scope: !4)
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 6, type: !9)
!9 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
