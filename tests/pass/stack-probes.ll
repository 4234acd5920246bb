; Each function of a module, spawning or not, probes its frame; probes of another kind stay.
; RUN: %opt -passes=nopal-stack-probes -S %s | FileCheck %s
; RUN: %opt -mtriple=x86_64-pc-linux-gnu -passes=nopal-stack-probes,nopal-outline,nopal-split \
; RUN:   -S %s | FileCheck %s --check-prefix=CLONES

; CHECK: define void @f() #[[#OURS:]] {
; CHECK: define internal void @leaf() #[[#OURS]] {
; CHECK: define void @other() #[[#THEIRS:]] {
; CHECK: attributes #[[#OURS]] = { "probe-stack"="inline-asm" }
; CHECK: attributes #[[#THEIRS]] = { "probe-stack"="__chkstk" }

; CLONES:     define void @f() #[[#FAST:]]{{ }}
; CLONES:     define internal {{.*}}@f.slow({{.*}} #[[#SLOW:]]{{ }}
; CLONES-DAG: attributes #[[#FAST]] = { {{.*}}"probe-stack"="inline-asm"
; CLONES-DAG: attributes #[[#SLOW]] = { {{.*}}"probe-stack"="inline-asm"
define void @f() {
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @leaf() "nopal-spawned"
  call void @__nopal_end(i32 1)
  call void @other()
  ret void
}

define internal void @leaf() {
  call void @outside()
  ret void
}

define void @other() "probe-stack"="__chkstk" {
  ret void
}

declare void @outside()
declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_end(i32)
