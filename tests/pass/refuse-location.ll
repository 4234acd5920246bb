; A refusal names file, line and column of the instruction at fault, if there is debug information.
; RUN: not %split %s -o /dev/null 2>&1 | FileCheck %s

; CHECK: error: a.c:7:3: in function f void (): 'cilk_spawn' in a function with a 'musttail' call is not supported
define void @f() noinline nounwind "nopal-spawner" !dbg !4 {
  call void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0), !dbg !6
  call void @__nopal_sync(i32 0), !dbg !6
  musttail call void @f(), !dbg !7
  ret void, !dbg !7
}

define internal void @f.spawn() nounwind "nopal-helper"="f" {
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @__nopal_sync(i32)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 6, column: 3, scope: !4)
!7 = !DILocation(line: 7, column: 3, scope: !4)
