//===- Labels.h - Computed goto in a spawning function ---------*- C++ -*-===//
//
// A label's address is the address of a block of one function; after the split
// there are two, and a value that was computed in one is used in the other. So a
// label gets a number instead, and `goto *` becomes a switch:
//
//   @table = [ptr blockaddress(@f, %a), ...]     @table = [ptr inttoptr (i64 1), ...]
//   indirectbr ptr %p, [label %a, label %b]      %n = ptrtoint ptr %p to i64
//                                                switch i64 %n, label %never
//                                                  [1, label %a; 2, label %b]
//
// Runs before the outlining of a function. Tests: tests/pass/outline-labels.ll,
// tests/programs/language/computed_goto.c.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_OUTLINE_LABELS_H
#define NOPAL_OUTLINE_LABELS_H

namespace llvm {
class Function;
}

namespace nopal::outline {

/// Replaces each label's address in \p F, its static tables and the differences of two addresses in
/// them included, by a number that is not 0, and each indirectbr by a switch. Changes nothing if an
/// inline assembly statement has such an address as an operand: it would see no address. (The
/// splitter refuses that function.) Numbers are by order of the targets of the first indirectbr, so
/// copies of an inline function and its table in several modules agree.
void numberLabels(llvm::Function &F);

} // namespace nopal::outline

#endif
