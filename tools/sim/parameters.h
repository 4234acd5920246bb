// How a program's description is read: "word:name=value,name=value". For the files of programs.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "costs.h"
#include "program.h"

namespace nopal::sim {

/// The values of one description, with defaults for those that it leaves out. All throw BadInput.
class Parameters {
 public:
  Parameters(std::string_view word, std::string_view defaults, std::string_view given,
             std::uint32_t workers, const Costs &costs);

  std::uint64_t number(const std::string &name) const;
  double real(const std::string &name) const;
  const std::string &word(const std::string &name, std::initializer_list<const char *> valid) const;
  const std::string &text(const std::string &name) const { return values_.at(name); }
  void require(bool holds, const std::string &name, std::string_view what) const;

  std::uint32_t workers() const noexcept { return workers_; }
  const Costs &costs() const noexcept { return costs_; }

 private:
  std::map<std::string, std::string> read(std::string_view list) const;

  std::string word_;
  std::map<std::string, std::string> values_;
  std::uint32_t workers_;
  const Costs &costs_;
};

template <class P>
std::unique_ptr<Program> make(Parameters &p) {
  return std::make_unique<P>(p);
}

struct ProgramRow {
  const char *word, *defaults, *text;
  std::unique_ptr<Program> (*make)(Parameters &);
};

const std::vector<ProgramRow> &plain_programs();
const std::vector<ProgramRow> &paper_programs();
const std::vector<ProgramRow> &uts_programs();
const std::vector<ProgramRow> &trace_programs();

}  // namespace nopal::sim
