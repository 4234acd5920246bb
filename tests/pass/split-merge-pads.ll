; Landing pads of a spawner that do the same become one; another clause, value or successor keeps one apart.
; A variable that a merged pad describes is unknown there.
; RUN: %opt -passes=nopal-merge-pads -verify-each -S %s | FileCheck %s

; CHECK-LABEL: define void @f(
; CHECK:         to label %called unwind label %pad.spawn
; CHECK:         to label %again unwind label %pad.spawn
; CHECK:         to label %third unwind label %pad.spawn
; CHECK:         to label %fourth unwind label %pad.value
; CHECK:         to label %fifth unwind label %pad.clause
; CHECK:         to label %done unwind label %pad.successor
; CHECK:       pad.spawn:
; CHECK-NEXT:    %a = landingpad { ptr, i32 }
; CHECK-NEXT:      cleanup
; CHECK-NEXT:    #dbg_value(i64 poison, ![[V:[0-9]+]], !DIExpression(),
; CHECK-NEXT:    #dbg_value(i64 poison, ![[V]], !DIExpression(),
; CHECK-NEXT:    br label %cleanup
; CHECK-NOT:   pad.same:
; CHECK-NOT:   pad.too:
; CHECK:       pad.value:
; CHECK:         #dbg_value(i64 3, ![[V]], !DIExpression(),
; CHECK:       cleanup:
; CHECK-NEXT:    phi { ptr, i32 } [ %a, %pad.spawn ], [ %d, %pad.value ], [ %e, %pad.clause ]
; CHECK-NEXT:    phi i64 [ 1, %pad.spawn ], [ 2, %pad.value ], [ 1, %pad.clause ]
; CHECK-LABEL: define void @not_optimized(
; CHECK:         unwind label %pad
; CHECK:         unwind label %pad.same
define void @f() "nopal-spawner" personality ptr @__gxx_personality_v0 !dbg !4 {
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
      to label %called unwind label %pad.spawn, !dbg !6
called:
  invoke void @work() to label %again unwind label %pad.same, !dbg !6
again:
  invoke void @work() to label %third unwind label %pad.too, !dbg !6
third:
  invoke void @work() to label %fourth unwind label %pad.value, !dbg !6
fourth:
  invoke void @work() to label %fifth unwind label %pad.clause, !dbg !6
fifth:
  invoke void @work() to label %done unwind label %pad.successor, !dbg !6
done:
  ret void, !dbg !6
pad.spawn:
  %a = landingpad { ptr, i32 }
      cleanup, !dbg !6
    #dbg_value(i64 1, !8, !DIExpression(), !6)
  br label %cleanup, !dbg !6
pad.same:
  %b = landingpad { ptr, i32 }
      cleanup, !dbg !6
    #dbg_value(i64 2, !8, !DIExpression(), !6)
  br label %cleanup, !dbg !6
pad.too:
  %c = landingpad { ptr, i32 }
      cleanup, !dbg !6
  br label %cleanup, !dbg !6
pad.value:
  %d = landingpad { ptr, i32 }
      cleanup, !dbg !6
    #dbg_value(i64 3, !8, !DIExpression(), !6)
  br label %cleanup, !dbg !6
pad.clause:
  %e = landingpad { ptr, i32 }
      catch ptr null, !dbg !6
  br label %cleanup, !dbg !6
pad.successor:
  %g = landingpad { ptr, i32 }
      cleanup, !dbg !6
  br label %other, !dbg !6
cleanup:
  %x = phi { ptr, i32 } [ %a, %pad.spawn ], [ %b, %pad.same ], [ %c, %pad.too ], [ %d, %pad.value ], [ %e, %pad.clause ]
  %v = phi i64 [ 1, %pad.spawn ], [ 1, %pad.same ], [ 1, %pad.too ], [ 2, %pad.value ], [ 1, %pad.clause ]
  call void @use(i64 %v), !dbg !6
  resume { ptr, i32 } %x, !dbg !6
other:
  resume { ptr, i32 } %g, !dbg !6
}

define void @not_optimized() noinline optnone "nopal-spawner" personality ptr @__gxx_personality_v0 {
  invoke void (ptr, ptr, i32, i32, i32, ...) @__nopal_spawn(ptr @f.spawn, ptr null, i32 1, i32 1, i32 0)
      to label %called unwind label %pad
called:
  invoke void @work() to label %done unwind label %pad.same
done:
  ret void
pad:
  %a = landingpad { ptr, i32 }
      cleanup
  br label %cleanup
pad.same:
  %b = landingpad { ptr, i32 }
      cleanup
  br label %cleanup
cleanup:
  %x = phi { ptr, i32 } [ %a, %pad ], [ %b, %pad.same ]
  resume { ptr, i32 } %x
}

define internal void @f.spawn() "nopal-helper"="f" {
  call void @work()
  ret void
}

declare void @__nopal_spawn(ptr, ptr, i32, i32, i32, ...)
declare void @work()
declare void @use(i64)
declare i32 @__gxx_personality_v0(...)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, isOptimized: true, emissionKind: FullDebug)
!1 = !DIFile(filename: "a.c", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition, retainedNodes: !{!8})
!5 = !DISubroutineType(types: !{null})
!6 = !DILocation(line: 6, column: 3, scope: !4)
!8 = !DILocalVariable(name: "n", scope: !4, file: !1, line: 6, type: !9)
!9 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
