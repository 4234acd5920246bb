// Addresses of code and of variables as text, by llvm-symbolizer.
//
// Called when the report is made. All questions go to one process. Without the program, or without
// debug information, the answers are as good as the dynamic symbols.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_RACE_PLACES_H
#define NOPAL_RACE_PLACES_H

#include "shadow.h"

#include <map>
#include <string>
#include <vector>

namespace nopal::race {

/// A line of the source, in a function or in one that was inlined there.
struct Line {
  std::string function;
  std::string file;  // empty: not known
  unsigned line = 0, column = 0;
  std::string field;  // that is accessed there; empty: none, or not known
};

/// A variable of static storage.
struct Variable {
  std::string name;  // empty: not known
  Address begin = 0;
  std::size_t size = 0;
};

/// A local variable, by its distance from the frame pointer.
struct Local {
  std::string name;
  long offset = 0;
  std::size_t size = 0;
};

class Symbolizer {
 public:
  // Questions, all of which come before `ask`.
  void want_code(Address after_call);
  void want_variable(Address address);
  void want_locals(Address after_call);
  void ask();

  // Answers. The lines: inlined functions first, the function itself last; never empty.
  const std::vector<Line> &code(Address after_call) const;
  const Variable &variable(Address address) const;
  const std::vector<Local> &locals(Address after_call) const;

 private:
  std::map<Address, std::vector<Line>> code_;
  std::map<Address, Variable> variables_;
  std::map<Address, std::vector<Local>> locals_;
};

/// As MODULE+0xOFFSET.
std::string offset_in_module(Address address);
/// The paths of the executable and of the libraries that have none of these addresses.
std::vector<std::string> modules_without(const std::vector<Address> &addresses);
/// The address of code that ends like this; 0 if no module has one.
Address code_at(Place place);
/// Whether the address is in a thread-local variable of the calling thread.
bool is_thread_local(Address address);

}  // namespace nopal::race

#endif
