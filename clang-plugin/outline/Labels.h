//===- Labels.h - Computed goto in a spawning function ---------*- C++ -*-===//
//
// A label's address is the address of a block in one function. After the split there are two
// functions, and one uses values that the other has computed. So a label gets a number instead, and
// `goto *` becomes a switch:
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

/// Replaces each label's address in \p F by a number that is not 0, also in static tables and
/// differences of two addresses. Replaces each indirectbr by a switch. Changes nothing if inline
/// assembly has such an address as an operand, since it needs the address. (The split refuses that
/// function.) The numbers follow the order of the targets of the first indirectbr, so copies of an
/// inline function and its table in several modules agree.
void numberLabels(llvm::Function &F);

} // namespace nopal::outline

#endif
