; A path that stores what the last block reads, and goes there, returns the value that it has stored; its store goes. Not if
; something may have changed the memory since, if the last block reads another place, and if it does more than read and compute.
; RUN: %opt -passes=nopal-early-tails -verify-each -S %s | FileCheck %s

; The variable of the last block has its value on the new path, too.
; CHECK-LABEL: define i64 @returns(i64 %n, i64 %b)
; CHECK:       early:
; CHECK-NEXT:    %[[V:.*]] = add {{.*}}i64 %n, 7
; CHECK-NEXT:    %[[S:.*]] = add i64 %[[V]], %b
; CHECK-NEXT:      #dbg_value(i64 %[[S]],
; CHECK-NEXT:    br label %end
; CHECK:       end:
; CHECK-NEXT:    %r = phi i64 [ %n, %entry ], [ %s, %tail ], [ %[[S]], %early ]
define i64 @returns(i64 %n, i64 %b) "nopal-clone"="fast" !dbg !5 {
entry:
  %x = alloca i64
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %work

work:
  %two = icmp slt i64 %n, 9
  br i1 %two, label %early, label %late

early:
  %v = add i64 %n, 7
  store i64 %v, ptr %x
  br label %tail

late:
  call void @work(ptr %x)
  %y = call i64 @value()
  br label %tail

tail:
  %w = phi i64 [ %b, %early ], [ %y, %late ]
  %xv = load i64, ptr %x
  %s = add i64 %xv, %w
    #dbg_value(i64 %s, !8, !DIExpression(), !9)
  br label %end

end:
  %r = phi i64 [ %n, %entry ], [ %s, %tail ]
  ret i64 %r
}

; CHECK-LABEL: define i64 @changed(
; CHECK:       early:
; CHECK-NEXT:    store i64 %n, ptr %x
; CHECK-NEXT:    call void @work(ptr %x)
; CHECK-NEXT:    br label %tail
define i64 @changed(i64 %n, i1 %c) "nopal-clone"="fast" {
  %x = alloca i64
  br i1 %c, label %early, label %late

early:
  store i64 %n, ptr %x
  call void @work(ptr %x)
  br label %tail

late:
  call void @work(ptr %x)
  br label %tail

tail:
  %s = load i64, ptr %x
  br label %end

end:
  ret i64 %s
}

; CHECK-LABEL: define i64 @elsewhere(
; CHECK:       early:
; CHECK-NEXT:    store i64 %n, ptr %y
; CHECK-NEXT:    br label %tail
define i64 @elsewhere(i64 %n, i1 %c, ptr %y) "nopal-clone"="fast" {
  %x = alloca i64
  call void @work(ptr %x)
  br i1 %c, label %early, label %late

early:
  store i64 %n, ptr %y
  br label %tail

late:
  call void @work(ptr %x)
  br label %tail

tail:
  %s = load i64, ptr %x
  br label %end

end:
  %r = phi i64 [ %s, %tail ]
  ret i64 %r
}

; CHECK-LABEL: define i64 @calls(
; CHECK:       early:
; CHECK-NEXT:    store i64 %n, ptr %x
; CHECK-NEXT:    br label %tail
define i64 @calls(i64 %n, i1 %c) "nopal-clone"="fast" {
  %x = alloca i64
  br i1 %c, label %early, label %late

early:
  store i64 %n, ptr %x
  br label %tail

late:
  call void @work(ptr %x)
  br label %tail

tail:
  %xv = load i64, ptr %x
  %s = call i64 @value()
  %t = add i64 %s, %xv
  br label %end

end:
  %r = phi i64 [ %t, %tail ]
  ret i64 %r
}

declare void @work(ptr)
declare i64 @value()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "tails.cpp", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "returns", file: !1, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!7 = !DIBasicType(name: "long", size: 64, encoding: DW_ATE_signed)
!8 = !DILocalVariable(name: "s", scope: !5, file: !1, type: !7)
!9 = !DILocation(line: 1, scope: !5)
