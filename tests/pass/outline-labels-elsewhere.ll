; A function that does not spawn keeps its labels' addresses, and so does one that hands one to inline assembly, which the splitter refuses.
; RUN: %outline %s | FileCheck %s
; RUN: %outline %s -o %t.ll
; RUN: not %split %t.ll -o /dev/null 2>&1 | FileCheck %s --check-prefix=REFUSED

; CHECK-LABEL: define void @serial(
; CHECK:         indirectbr ptr blockaddress(@serial, %out), [label %out]
define void @serial() nounwind {
  indirectbr ptr blockaddress(@serial, %out), [label %out]

out:
  ret void
}

; CHECK-LABEL: define void @assembly(
; CHECK:         asm sideeffect "# $0", "i"(ptr blockaddress(@assembly, %out))
; REFUSED: error: {{.*}} in function assembly {{.*}}: 'cilk_spawn' in a function that takes the address of a label
define void @assembly() nounwind {
  call void asm sideeffect "# $0", "i"(ptr blockaddress(@assembly, %out))
  call void @__nopal_begin(i32 0, ptr null, i32 1, i32 1, i32 0)
  call void @work() "nopal-spawned"
  call void @__nopal_end(i32 0)
  br label %out

out:
  ret void
}

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
declare void @work()
