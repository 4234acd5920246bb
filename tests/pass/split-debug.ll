; A variable that moves into the frame is found there by a debugger, in both clones; lines stay those of the source.
; RUN: %split %s | FileCheck %s

; CHECK-LABEL: define void @f()
; CHECK-SAME:    !dbg ![[FAST:[0-9]+]]
; CHECK:         #dbg_declare(ptr %nopal.frame, ![[X:[0-9]+]], !DIExpression(DW_OP_plus_uconst, 64), ![[AT:[0-9]+]])
; CHECK:         call void @work({{.*}}), !dbg ![[LINE:[0-9]+]]
; CHECK-LABEL: define internal ptr @f.slow(ptr %frame)
; CHECK-SAME:    !dbg ![[SLOW:[0-9]+]]
; CHECK:         #dbg_value(ptr %frame, ![[X2:[0-9]+]], !DIExpression(DW_OP_plus_uconst, 64, DW_OP_deref), !{{[0-9]+}})
; CHECK-DAG: ![[FAST]] = distinct !DISubprogram(name: "f",
; CHECK-DAG: ![[SLOW]] = distinct !DISubprogram(name: "f.slow", linkageName: "f.slow",
; CHECK-DAG: ![[X]] = !DILocalVariable(name: "x", scope: ![[FAST]],
; CHECK-DAG: ![[X2]] = !DILocalVariable(name: "x", scope: ![[SLOW]],
; CHECK-DAG: ![[LINE]] = !DILocation(line: 7, column: 9, scope: ![[FAST]])
define void @f() noinline nounwind "nopal-spawner" !dbg !4 {
  %x = alloca i64
    #dbg_declare(ptr %x, !8, !DIExpression(), !6)
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0, ptr %x), !dbg !6
  call void @more(), !dbg !6
  call void @__nopal_sync(i32 0), !dbg !6
  ret void, !dbg !6
}

; The child's call on line 7 is a line of the helper, and of @f once it is inlined.
define internal void @f.spawn(ptr %x) nounwind "nopal-helper"="f" !dbg !10 {
  call void @work(ptr %x), !dbg !11
  ret void, !dbg !11
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)
declare void @work(ptr) nounwind
declare void @more() nounwind

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: false, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{!8})
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 6, column: 3, scope: !4)
!8 = !DILocalVariable(name: "x", scope: !4, file: !1, line: 6, type: !9)
!9 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!10 = distinct !DISubprogram(name: "f.spawn", file: !1, line: 7, type: !5, unit: !0, flags: DIFlagArtificial, spFlags: DISPFlagLocalToUnit | DISPFlagDefinition)
!11 = !DILocation(line: 7, column: 9, scope: !10)
