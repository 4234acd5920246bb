//===- Operands.h - The operands of a spawned operation ---------*- C++ -*-===//
//
// A `new`, a builtin and an atomic operation are no calls that code generation could
// flag: the parent computes their operands, then a marker says that the child begins, and what
// follows it is the child's.
//
//   p = cilk_spawn new T(a, x + 1);
//     p = (A = a, B = x + 1, [__nopal_child()], new T(A, B))
//
// A and B are no variables but values of Clang's own (OpaqueValueExpr), all of it
// is a PseudoObjectExpr under the keyword's marker. Constants stay where they are.
// An argument of class type is made by the parent, and moved by the child into the
// parameter. Tested by tests/programs/language/operations.cpp.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_FRONTEND_OPERANDS_H
#define NOPAL_FRONTEND_OPERANDS_H

namespace clang {
class Sema;
}

namespace nopal::frontend {
class MarkerBuilder;
class Reporter;
struct Spawn;

/// Makes the parent compute the operands of \p S, which has an Operation. Reports
/// an operand that cannot be moved. Does nothing a second time: the instances of
/// a template may share the expression.
void hoistOperands(const Spawn &S, clang::Sema &SemaRef, MarkerBuilder &Build, Reporter &Report);

} // namespace nopal::frontend

#endif
