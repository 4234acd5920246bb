// See places.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "places.h"

#include "options.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <sstream>

#include <link.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace nopal::race {

namespace {

constexpr const char kProgram[] = "llvm-symbolizer-22";

using Visitor = std::function<bool(const dl_phdr_info &)>;

void for_each_module(const Visitor &visit) {
  dl_iterate_phdr([](dl_phdr_info *info, std::size_t,
                     void *data) { return (*static_cast<const Visitor *>(data))(*info) ? 1 : 0; },
                  const_cast<Visitor *>(&visit));
}

struct InModule {
  std::string path;
  Address offset = 0;
};

bool has_address(const dl_phdr_info &info, Address address) {
  for (int i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr) &segment = info.dlpi_phdr[i];
    if (segment.p_type == PT_LOAD && address - (info.dlpi_addr + segment.p_vaddr) < segment.p_memsz)
      return true;
  }
  return false;
}

std::string path_of(const dl_phdr_info &info) {
  if (info.dlpi_name && *info.dlpi_name) return info.dlpi_name;
  char path[4096];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof(path));
  return size > 0 ? std::string(path, static_cast<std::size_t>(size)) : "/proc/self/exe";
}

InModule module_of(Address address) {
  InModule result;
  for_each_module([&](const dl_phdr_info &info) {
    if (!has_address(info, address)) return false;
    result = {path_of(info), address - info.dlpi_addr};
    return true;
  });
  return result;
}

std::string text_of(const InModule &where) {
  char text[32];
  std::snprintf(text, sizeof(text), "+0x%lx", where.offset);
  return where.path.substr(where.path.rfind('/') + 1) + text;
}

/// What the program prints for that input; empty if it cannot be run.
std::string run_symbolizer(const std::string &input) {
  const int in = memfd_create("questions", MFD_CLOEXEC);
  int ends[2];
  if (in < 0 || pipe(ends) != 0) return "";
  if (write(in, input.data(), input.size()) != static_cast<ssize_t>(input.size())) return "";
  lseek(in, 0, SEEK_SET);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addclose(&files, ends[0]);
  const char *const arguments[] = {kProgram, "--demangle", "--inlines", "--relativenames", nullptr};
  pid_t child = -1;
  if (posix_spawnp(&child, kProgram, &files, nullptr, const_cast<char *const *>(arguments),
                   whole_environment()) != 0)
    child = -1;
  posix_spawn_file_actions_destroy(&files);
  close(in);
  close(ends[1]);
  std::string output;
  char buffer[4096];
  ssize_t got;
  while (child > 0 && (got = read(ends[0], buffer, sizeof(buffer))) > 0)
    output.append(buffer, static_cast<std::size_t>(got));
  close(ends[0]);
  if (child > 0) waitpid(child, nullptr, 0);
  return output;
}

/// Without what names the compiler's own functions: the child or the leaf of a function.
std::string users_name(std::string name) {
  for (const char *part : {" (.spawn", " (.leaf", ".spawn", ".leaf"})
    if (const std::size_t at = name.rfind(part); at != std::string::npos) name.resize(at);
  return name;
}

/// FILE:LINE:COLUMN
Line parse_line(const std::string &function, const std::string &place) {
  Line line{function == "??" ? "" : users_name(function), "", 0, 0, ""};
  const std::size_t second = place.rfind(':');
  const std::size_t first =
      second == std::string::npos || second == 0 ? std::string::npos : place.rfind(':', second - 1);
  if (first == std::string::npos) return line;
  line.file = place.substr(0, first);
  if (line.file == "??") line.file.clear();
  line.line = static_cast<unsigned>(std::strtoul(place.c_str() + first + 1, nullptr, 10));
  line.column = static_cast<unsigned>(std::strtoul(place.c_str() + second + 1, nullptr, 10));
  return line;
}

/// The answer to one question: its lines, up to an empty one.
std::vector<std::string> next_answer(std::istream &stream) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line) && !line.empty();) lines.push_back(line);
  return lines;
}

/// Empty for an address of no module: the program would not answer.
std::string question(const char *kind, const InModule &where) {
  if (where.path.empty()) return "";
  char offset[32];
  std::snprintf(offset, sizeof(offset), "0x%lx", where.offset);
  return std::string(kind) + " \"" + where.path + "\" " + offset + "\n";
}

std::vector<Line> code_lines(const std::vector<std::string> &answer, const InModule &where) {
  std::vector<Line> lines;
  std::string field;
  for (std::size_t i = 0; i + 1 < answer.size(); i += 2)
    if (answer[i].starts_with(NOPAL_RACE_FIELD))
      field = answer[i].substr(std::strlen(NOPAL_RACE_FIELD));
    else
      lines.push_back(parse_line(answer[i], answer[i + 1]));
  if (lines.empty()) lines.push_back({});
  lines.front().field = field;
  if (lines.back().function.empty() && !where.path.empty()) {
    lines.back().function = text_of(where);
  }
  return lines;
}

/// The optimizer divides a variable into parts: `pool.0`.
std::string without_number(const std::string &name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  return end != std::string::npos && end + 1 < name.size() && end != 0 && name[end] == '.'
             ? name.substr(0, end)
             : name;
}

/// NAME, then BEGIN SIZE as offsets in the module.
Variable variable_of(const std::vector<std::string> &answer, Address address,
                     const InModule &where) {
  Variable result;
  if (answer.size() < 2 || answer[0] == "??") return result;
  char *rest = nullptr;
  const Address begin = std::strtoul(answer[1].c_str(), &rest, 10);
  const std::size_t size = std::strtoul(rest, nullptr, 10);
  if (where.offset - begin >= size) return result;
  return {without_number(answer[0]), address - where.offset + begin, size};
}

/// FUNCTION, NAME, FILE:LINE, OFFSET SIZE TAG for each.
std::vector<Local> locals_of(const std::vector<std::string> &answer) {
  std::vector<Local> result;
  for (std::size_t i = 0; i + 3 < answer.size(); i += 4) {
    char *rest = nullptr;
    const long offset = std::strtol(answer[i + 3].c_str(), &rest, 10);
    const std::size_t size = std::strtoul(rest, nullptr, 10);
    if (rest != answer[i + 3].c_str()) result.push_back({answer[i + 1], offset, size});
  }
  return result;
}

}  // namespace

void Symbolizer::want_code(Address after_call) { code_[after_call]; }
void Symbolizer::want_variable(Address address) { variables_[address]; }
void Symbolizer::want_locals(Address after_call) { locals_[after_call]; }

void Symbolizer::ask() {
  std::string input;
  for (const auto &[address, lines] : code_) input += question("CODE", module_of(address - 1));
  for (const auto &[address, one] : variables_) input += question("DATA", module_of(address));
  for (const auto &[address, all] : locals_) input += question("FRAME", module_of(address - 1));
  std::istringstream output(run_symbolizer(input));
  auto answer = [&](const InModule &where) {
    return where.path.empty() ? std::vector<std::string>() : next_answer(output);
  };
  for (auto &[address, lines] : code_) {
    const InModule where = module_of(address - 1);
    lines = code_lines(answer(where), where);
  }
  for (auto &[address, one] : variables_) {
    const InModule where = module_of(address);
    one = variable_of(answer(where), address, where);
  }
  for (auto &[address, all] : locals_) all = locals_of(answer(module_of(address - 1)));
}

const std::vector<Line> &Symbolizer::code(Address after_call) const { return code_.at(after_call); }
const Variable &Symbolizer::variable(Address address) const { return variables_.at(address); }
const std::vector<Local> &Symbolizer::locals(Address after_call) const {
  return locals_.at(after_call);
}

std::string offset_in_module(Address address) { return text_of(module_of(address)); }

std::vector<std::string> modules_without(const std::vector<Address> &addresses) {
  std::vector<std::string> result;
  for_each_module([&](const dl_phdr_info &info) {
    if (std::none_of(addresses.begin(), addresses.end(),
                     [&](Address address) { return has_address(info, address); }))
      result.push_back(path_of(info));
    return false;
  });
  return result;
}

Address code_at(Place place) {
  Address result = 0;
  for_each_module([&](const dl_phdr_info &info) {
    for (int i = 0; i < info.dlpi_phnum; ++i) {
      const ElfW(Phdr) &segment = info.dlpi_phdr[i];
      if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
      const Address begin = info.dlpi_addr + segment.p_vaddr;
      const Address distance = static_cast<Place>(place - static_cast<Place>(begin));
      if (distance > segment.p_memsz) continue;
      result = begin + distance;
      return true;
    }
    return false;
  });
  return result;
}

bool is_thread_local(Address address) {
  bool result = false;
  for_each_module([&](const dl_phdr_info &info) {
    for (int i = 0; i < info.dlpi_phnum; ++i)
      if (info.dlpi_phdr[i].p_type == PT_TLS && info.dlpi_tls_data)
        result |=
            address - reinterpret_cast<Address>(info.dlpi_tls_data) < info.dlpi_phdr[i].p_memsz;
    return result;
  });
  return result;
}

}  // namespace nopal::race
