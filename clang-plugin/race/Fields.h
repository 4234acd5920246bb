//===- Fields.h - Which field an access is of ------------------*- C++ -*-===//
//
// Used by Instrument.cpp, before anything is reported. Tests: tests/race/report_test.py.
//
//===----------------------------------------------------------------------===//
#ifndef NOPAL_RACE_FIELDS_H
#define NOPAL_RACE_FIELDS_H

namespace llvm {
class Module;
} // namespace llvm

namespace nopal::race {

/// Says in the debug information of each access of a field which field that is.
void nameFields(llvm::Module &M);

} // namespace nopal::race

#endif
