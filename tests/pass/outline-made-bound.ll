; What a child makes lives on after it, though nothing but the child may use it by name: a variable whose address the child
; Not on LLVM 19: this IR is LLVM 22's own.
; UNSUPPORTED: llvm-19
; gets, and a temporary that a reference is bound to. What is known of its storage before the child runs is the parent's to say.
; RUN: %outline %s | FileCheck %s
; RUN: %outline %s | not grep 'call.*__nopal_outer'

; A temporary, known by a reference: the parent binds it, and the child does not know the reference.
; CHECK-LABEL: define void @reference()
; CHECK:         %temporary = alloca { i64, i64 }
; CHECK:         call void @llvm.lifetime.start.p0(ptr %temporary)
; CHECK-NEXT:    %second = getelementptr inbounds { i64, i64 }, ptr %temporary, i32 0, i32 1
; CHECK-NEXT:    store ptr %second, ptr %r
; CHECK:         @__nopal_spawn(ptr @reference.spawn, ptr null, i32 1, i32 1, i32 0, ptr %temporary)
; CHECK:         %bound = load ptr, ptr %r
define void @reference() nounwind {
  %r = alloca ptr
  %temporary = alloca { i64, i64 }
  call void @llvm.lifetime.start.p0(ptr %r)
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr %temporary) "nopal-spawned"
  call void @llvm.lifetime.start.p0(ptr %temporary)
  %second = getelementptr inbounds { i64, i64 }, ptr %temporary, i32 0, i32 1
  store ptr %second, ptr %r
  %made = load ptr, ptr %r
  call void @__nopal_made(i32 1, ptr %made)
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  %bound = load ptr, ptr %r
  call void @use(ptr %bound)
  call void @llvm.lifetime.end.p0(ptr %temporary)
  call void @llvm.lifetime.end.p0(ptr %r)
  ret void
}

; Where the part that the reference is bound to is computed from the result, the child binds it.
; CHECK-LABEL: define void @computed()
; CHECK:         %temporary = alloca [2 x i64]
; CHECK:         @__nopal_spawn(ptr @computed.spawn, ptr null, i32 1, i32 1, i32 0, ptr %temporary, ptr %r)
define void @computed() nounwind {
  %r = alloca ptr
  %temporary = alloca [2 x i64]
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr %temporary) "nopal-spawned"
  %distance = load i64, ptr %temporary
  %part = getelementptr inbounds i8, ptr %temporary, i64 %distance
  store ptr %part, ptr %r
  %made = load ptr, ptr %r
  call void @__nopal_made(i32 1, ptr %made)
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  %bound = load ptr, ptr %r
  call void @use(ptr %bound)
  ret void
}

; A variable that has a temporary, which has a temporary. What is stored into it later is nothing of the child's.
; CHECK-LABEL: define void @variable()
; CHECK-DAG:     %x = alloca ptr
; CHECK-DAG:     %outer = alloca ptr
; CHECK-DAG:     %inner = alloca i64
; CHECK:         @__nopal_spawn(ptr @variable.spawn, ptr null, i32 1, i32 1, i32 0, ptr %inner, ptr %outer, ptr %x)
; CHECK:         @__nopal_spawn(ptr @variable.spawn.1, ptr null, i32 1, i32 1, i32 0, ptr %x)
define void @variable() nounwind {
  %x = alloca ptr
  %outer = alloca ptr
  %inner = alloca i64
  %later = alloca i64
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  %value = call i64 @compute() "nopal-spawned"
  store i64 %value, ptr %inner
  store ptr %inner, ptr %outer
  store ptr %outer, ptr %x
  call void @__nopal_made(i32 1, ptr %x)
  call void @__nopal_end(i32 1)
  call void @__nopal_block_begin(i32 2, ptr null, i32 1, i32 1, i32 0)
  store ptr %later, ptr %x
  call void @work(ptr %later)
  call void @__nopal_end(i32 2)
  call void @__nopal_sync(i32 0)
  call void @use(ptr %x)
  ret void
}

; The child constructs the variable where others may have its address from then on.
; CHECK-LABEL: define void @alone()
; CHECK:         %x = alloca [3 x i64]
; CHECK:         @__nopal_spawn(ptr @alone.spawn, ptr null, i32 1, i32 1, i32 0, ptr %x)
define void @alone() nounwind {
  %x = alloca [3 x i64]
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  call void @work(ptr %x) "nopal-spawned"
  call void @__nopal_made(i32 1, ptr %x)
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

; A scalar whose address nobody has is the child's own all the same.
; CHECK-LABEL: define void @unused()
; CHECK:         @__nopal_spawn(ptr @unused.spawn, ptr null, i32 1, i32 1, i32 0)
define void @unused() nounwind {
  %x = alloca i64
  call void @__nopal_begin(i32 1, ptr null, i32 1, i32 1, i32 0)
  %value = call i64 @compute() "nopal-spawned"
  store i64 %value, ptr %x
  call void @__nopal_made(i32 1, ptr %x)
  call void @__nopal_end(i32 1)
  call void @__nopal_sync(i32 0)
  ret void
}

; CHECK-LABEL: define internal void @reference.spawn(ptr %temporary)
; CHECK-NOT:     alloca
; CHECK:         call void @work(ptr %temporary)
; CHECK-NOT:     {{call|store}}
; CHECK:         ret void
; CHECK-LABEL: define internal void @computed.spawn(ptr %temporary, ptr %r)
; CHECK:         store ptr %part, ptr %r
; CHECK-LABEL: define internal void @variable.spawn(ptr %inner, ptr %outer, ptr %x)
; CHECK-LABEL: define internal void @variable.spawn.1(ptr %x)
; CHECK:         %later = alloca i64

declare void @__nopal_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_block_begin(i32, ptr, i32, i32, i32)
declare void @__nopal_made(i32, ptr)
declare void @__nopal_end(i32)
declare void @__nopal_sync(i32)
declare void @work(ptr)
declare i64 @compute()
declare void @use(ptr)
