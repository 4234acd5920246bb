; Fast clones that call each other pass the worker on: as an argument, and back beside the result.
; What other functions call is an entry that reads it.
; RUN: %opt -passes=nopal-worker-in-register,verify -S %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: %opt -passes=nopal-worker-in-register -mtriple=x86_64-pc-linux-gnu -S %s | FileCheck %s --check-prefix=X86
; RUN: %opt -passes=nopal-worker-in-register -mtriple=x86_64-pc-linux-gnu -nopal-worker-in-register -S %s | FileCheck %s
; X86-NOT: with_worker

target triple = "aarch64-linux-gnu"

@site = internal constant i32 0, !nopal.fast.clone !0

declare void @slow() cold
declare i64 @other(i64)

; CHECK-LABEL: define i64 @twice(i64 signext %0)
; CHECK:         %[[W:.*]] = load ptr
; CHECK-NEXT:    %[[P:.*]] = call { i64, ptr } @twice.with_worker(i64 signext %0, ptr %[[W]])
; CHECK-NEXT:    %[[R:.*]] = extractvalue { i64, ptr } %[[P]], 0
; CHECK-NEXT:    ret i64 %[[R]]

; The first read is the argument, and the second comes with the first call. A read follows the cold
; call, and a path without calls returns what it was given.
; CHECK-LABEL: define internal { i64, ptr } @twice.with_worker(i64 signext %n, ptr %0)
; CHECK-NOT:     asm
; CHECK:         store i64 0, ptr %0
; CHECK:       slow:
; CHECK-NEXT:    call void @slow()
; CHECK-NEXT:    asm sideeffect
; CHECK:         %[[COLD:.*]] = load ptr
; CHECK:       child:
; CHECK-NEXT:    %[[FIRST:.*]] = phi ptr [ %[[COLD]], %slow ], [ %0, %work ]
; CHECK-NEXT:    %[[X:.*]] = call { i64, ptr } @twice.with_worker(i64 %n, ptr %[[FIRST]])
; CHECK-NEXT:    %[[XVALUE:.*]] = extractvalue { i64, ptr } %[[X]], 0
; CHECK-NEXT:    %[[XWORKER:.*]] = extractvalue { i64, ptr } %[[X]], 1
; CHECK-NEXT:    store i64 1, ptr %[[XWORKER]]
; CHECK-NEXT:    %[[Y:.*]] = call { i64, ptr } @twice.with_worker(i64 %[[XVALUE]], ptr %[[XWORKER]])
; CHECK:         %[[YWORKER:.*]] = extractvalue { i64, ptr } %[[Y]], 1
; CHECK:       end:
; CHECK:         %[[RETURNED:.*]] = phi ptr [ %0, %entry ], [ %[[YWORKER]], %child ]
; CHECK:         insertvalue { i64, ptr } %{{.*}}, ptr %[[RETURNED]], 1
define i64 @twice(i64 signext %n) "nopal-clone"="fast" {
entry:
  %leaf = icmp slt i64 %n, 2
  br i1 %leaf, label %end, label %work

work:
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store i64 0, ptr %w1
  %full = icmp eq i64 %n, 77
  br i1 %full, label %slow, label %child

slow:
  call void @slow()
  br label %child

child:
  %x = call i64 @twice(i64 %n)
  %o2 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p2 = inttoptr i64 %o2 to ptr addrspace(257)
  %w2 = load ptr, ptr addrspace(257) %p2
  store i64 1, ptr %w2
  %y = call i64 @twice(i64 %x)
  br label %end

end:
  %r = phi i64 [ %y, %child ], [ %n, %entry ]
  ret i64 %r
}

; After a call that does not return the worker, and where an exception arrives, it is read.
; CHECK-LABEL: define internal ptr @reads.with_worker(i64 %n, ptr %0) unnamed_addr
; CHECK-NEXT:  entry:
; CHECK-NEXT:    %[[V:.*]] = call i64 @other(i64 %n)
; CHECK-NEXT:    asm sideeffect
; CHECK:         %[[W1:.*]] = load ptr
; CHECK-NEXT:    store i64 2, ptr %[[W1]]
; CHECK-NEXT:    %[[BACK:.*]] = invoke ptr @reads.with_worker(i64 %[[V]], ptr %[[W1]])
; CHECK:       done:
; CHECK-NEXT:    ret ptr %[[BACK]]
; CHECK:       pad:
; CHECK-NEXT:    landingpad
; CHECK-NEXT:      catch ptr null
; CHECK-NEXT:    asm sideeffect
; CHECK:         %[[W2:.*]] = load ptr
; CHECK-NEXT:    store i64 3, ptr %[[W2]]
; CHECK-NEXT:    call i64 @other
; CHECK-NEXT:    asm sideeffect
; CHECK:         %[[W3:.*]] = load ptr
; CHECK-NEXT:    ret ptr %[[W3]]
define void @reads(i64 %n) "nopal-clone"="fast" personality ptr @__gxx_personality_v0 {
entry:
  %v = call i64 @other(i64 %n)
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store i64 2, ptr %w1
  invoke void @reads(i64 %v) to label %done unwind label %pad

done:
  ret void

pad:
  %e = landingpad { ptr, i32 } catch ptr null
  %o2 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p2 = inttoptr i64 %o2 to ptr addrspace(257)
  %w2 = load ptr, ptr addrspace(257) %p2
  store i64 3, ptr %w2
  %z = call i64 @other(i64 1)
  ret void
}

; Not called by a fast clone: its own calls pass the worker on.
; CHECK-LABEL: define void @root()
; CHECK:         %[[W:.*]] = load ptr
; CHECK:         call { i64, ptr } @twice.with_worker(i64 9, ptr %[[W]])
define void @root() "nopal-clone"="fast" {
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store i64 4, ptr %w1
  %x = call i64 @twice(i64 9)
  ret void
}

; What is no fast clone calls the body, too, so that no entry is between the two in a backtrace. A
; jump, and a call that must be one, stays.
; CHECK-LABEL: define i64 @plain()
; CHECK:         asm sideeffect
; CHECK:         %[[W:.*]] = load ptr
; CHECK-NEXT:    %[[P:.*]] = invoke { i64, ptr } @twice.with_worker(i64 9, ptr %[[W]])
; CHECK:         %[[R:.*]] = extractvalue { i64, ptr } %[[P]], 0
; CHECK:         tail call i64 @twice(i64 %[[R]])
define i64 @plain() "nopal-clone"="slow" personality ptr @__gxx_personality_v0 {
  %x = invoke i64 @twice(i64 9) to label %done unwind label %pad

done:
  %y = tail call i64 @twice(i64 %x)
  ret i64 %y

pad:
  %e = landingpad { ptr, i32 } catch ptr null
  ret i64 0
}
; CHECK-LABEL: define void @must(
; CHECK:         musttail call void @reads(i64 8)
define void @must(i64 %n) "nopal-clone"="fast" {
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store i64 8, ptr %w1
  musttail call void @reads(i64 8)
  ret void
}
; The blocks of a function that takes their addresses are its own.
; CHECK-LABEL: define void @jumps(
; CHECK:         call void @jumps(
define void @jumps(ptr %to) "nopal-clone"="fast" {
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store i64 8, ptr %w1
  call void @jumps(ptr blockaddress(@jumps, %done))
  indirectbr ptr %to, [label %done]

done:
  ret void
}

; The linker may take another module's group, which has no such body.
; CHECK-LABEL: define void @outside()
; CHECK:         call void @grouped(ptr null)
define void @outside() "nopal-clone"="fast" {
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store i64 5, ptr %w1
  call void @grouped(ptr null)
  ret void
}

$grouped = comdat any
; CHECK-LABEL: define linkonce_odr void @grouped(ptr %0)
; CHECK-LABEL: define internal ptr @grouped.with_worker(ptr %p, ptr %0) unnamed_addr #{{[0-9]+}} comdat($grouped)
; CHECK:         call ptr @grouped.with_worker(ptr %p
define linkonce_odr void @grouped(ptr %p) "nopal-clone"="fast" comdat {
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store ptr %p, ptr %w1
  call void @grouped(ptr %p)
  ret void
}

; Another module may define it, and more arguments would be on the stack.
; CHECK-LABEL: define weak void @interposed()
; CHECK:         call void @interposed()
define weak void @interposed() "nopal-clone"="fast" {
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store i64 6, ptr %w1
  call void @interposed()
  ret void
}
; CHECK-LABEL: define void @six(
; CHECK:         call void @six(
define void @six(i64 %a, i64 %b, i64 %c, i64 %d, i64 %e, i64 %f) "nopal-clone"="fast" {
  %o1 = call i64 asm sideeffect "movq nopal_tls_worker@gottpoff(%rip), $0", "=r"()
  %p1 = inttoptr i64 %o1 to ptr addrspace(257)
  %w1 = load ptr, ptr addrspace(257) %p1
  store i64 7, ptr %w1
  call void @six(i64 %f, i64 %b, i64 %c, i64 %d, i64 %e, i64 %a)
  ret void
}

; The site's fast clone is the body, of which the bound of the stack frame is taken.
; CHECK: !{ptr @twice.with_worker}
!0 = !{ptr @twice}

declare i32 @__gxx_personality_v0(...)
