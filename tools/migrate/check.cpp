// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"

#include "new_text.h"

#include "clang/Tooling/ArgumentsAdjusters.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <optional>
#include <utility>

namespace nopal::migrate {

namespace {

const std::string kReason = "the new code does not compile: ";

/// A folder that goes when this does.
class TemporaryFolder {
 public:
  TemporaryFolder() : error_(llvm::sys::fs::createUniqueDirectory("nopal-migrate", path_)) {}
  ~TemporaryFolder() {
    if (!error_) llvm::sys::fs::remove_directories(path_);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  bool exists() const { return !error_; }
  std::string file(const llvm::Twine &name) const { return (path_ + "/" + name).str(); }

 private:
  llvm::SmallString<128> path_;
  std::error_code error_;
};

/// A place that the compiler names in a message.
struct Place {
  std::string path;
  unsigned line, column;
};

/// What the compiler says first, and the places that it names: where, and what that comes from.
struct Error {
  std::string message;
  std::vector<Place> places;
};

// "path:line:column: error: message", and the like.
std::optional<Place> place_of(llvm::StringRef line, llvm::StringRef kind, llvm::StringRef &rest) {
  const std::size_t word = line.find(kind);
  if (word == llvm::StringRef::npos) return std::nullopt;
  rest = line.substr(word + kind.size()).trim();
  llvm::StringRef place = line.take_front(word);
  unsigned numbers[2];
  for (unsigned i = 2; i-- > 0;) {
    const auto [before, number] = place.rsplit(':');
    if (number.getAsInteger(10, numbers[i])) return std::nullopt;
    place = before;
  }
  return Place{place.str(), numbers[0], numbers[1]};
}

Error first_error(llvm::StringRef output) {
  Error error;
  llvm::SmallVector<llvm::StringRef> lines;
  output.split(lines, '\n');
  for (const llvm::StringRef line : lines) {
    llvm::StringRef rest;
    std::optional<Place> place = place_of(line, ": error: ", rest);
    if (!place) place = place_of(line, ": fatal error: ", rest);
    if (place && !error.message.empty()) break;
    if (place) error.message = rest.str();
    if (!place && !error.message.empty()) place = place_of(line, ": note: ", rest);
    if (place) error.places.push_back(*place);
  }
  return error;
}

class Check {
 public:
  Check(Changes &changes, bool has_comments, const std::string &binaries)
      : changes_(changes), has_comments_(has_comments), binaries_(binaries) {}

  /// True if something was refused.
  bool check(const clang::tooling::CompileCommand &command);

 private:
  // Of the files as they are, or as they will be. Null if no compiler ran.
  std::optional<Error> compile(const clang::tooling::CompileCommand &command, bool is_new);
  NewText *text_of(llvm::StringRef path, llvm::StringRef folder);
  bool refuse(const Error &error, llvm::StringRef folder);
  bool refuse_all(const Error &error);

  Changes &changes_;
  const bool has_comments_;
  const std::string binaries_;
  TemporaryFolder folder_;
  std::map<std::string, NewText> texts_;
};

std::optional<Error> Check::compile(const clang::tooling::CompileCommand &command, bool is_new) {
  if (!folder_.exists()) return std::nullopt;
  // The new texts lie over the old files.
  llvm::vfs::YAMLVFSWriter overlay;
  overlay.setUseExternalNames(false);
  bool needs_openmp = !is_new;
  texts_.clear();
  for (auto &[path, file] : changes_.files()) {
    if (!is_new || file.outcomes.empty()) continue;
    NewText &text = texts_.emplace(path, NewText(file, has_comments_)).first->second;
    needs_openmp |= llvm::any_of(file.outcomes, [](const auto &outcome) { return outcome.note; });
    const std::string copy = folder_.file(std::to_string(texts_.size()));
    std::error_code error;
    llvm::raw_fd_ostream out(copy, error);
    if (!error) out << text.text();
    if (error || (out.close(), out.has_error())) return std::nullopt;
    overlay.addFileMapping(path, copy);
  }
  const std::string overlay_path = folder_.file("overlay");
  std::error_code error;
  {
    llvm::raw_fd_ostream out(overlay_path, error);
    if (!error) overlay.write(out);
  }
  if (error) return std::nullopt;

  namespace tooling = clang::tooling;
  tooling::CommandLineArguments arguments = command.CommandLine;
  for (const auto &adjust :
       {tooling::getClangStripOutputAdjuster(), tooling::getClangStripDependencyFileAdjuster(),
        tooling::getClangSyntaxOnlyAdjuster()})
    arguments = adjust(arguments, command.Filename);
  const bool is_cplusplus = llvm::StringRef(arguments.front()).contains("++");
  arguments.front() = binaries_ + (is_cplusplus ? "/nopal-clang++" : "/nopal-clang");
  llvm::erase_if(arguments, [](const std::string &argument) { return argument == "-fopenmp"; });
  std::vector<std::string> added{"-w",
                                 "-fno-caret-diagnostics",
                                 "-fno-color-diagnostics",
                                 "-ferror-limit=2",
                                 "-fshow-column",
                                 "-fdiagnostics-format=clang",
                                 "-working-directory=" + command.Directory,
                                 "-ivfsoverlay",
                                 overlay_path};
  if (needs_openmp) added.push_back("-fopenmp");
  // After the user's, which may ask for other forms.
  arguments.insert(llvm::find(arguments, "--"), added.begin(), added.end());
  std::vector<llvm::StringRef> words(arguments.begin(), arguments.end());
  const std::string messages = folder_.file("messages");
  const std::optional<llvm::StringRef> streams[] = {llvm::StringRef(), llvm::StringRef(messages),
                                                    llvm::StringRef(messages)};
  const int status = llvm::sys::ExecuteAndWait(words.front(), words, std::nullopt, streams);
  auto output = llvm::MemoryBuffer::getFile(messages);
  if (status < 0 || !output) return std::nullopt;
  if (status == 0) return Error();
  Error first = first_error((*output)->getBuffer());
  if (first.message.empty()) first.message = "it ends with status " + std::to_string(status);
  return first;
}

// The compiler may name a file by another path than we do.
NewText *Check::text_of(llvm::StringRef path, llvm::StringRef folder) {
  llvm::SmallString<256> absolute(llvm::sys::path::is_absolute(path) ? "" : folder);
  llvm::sys::path::append(absolute, path);
  llvm::sys::fs::make_absolute(absolute);
  for (auto &[known, text] : texts_)
    if (known == absolute || llvm::sys::fs::equivalent(known, absolute)) return &text;
  return nullptr;
}

bool Check::refuse(const Error &error, llvm::StringRef folder) {
  for (const Place &place : error.places) {
    NewText *text = text_of(place.path, folder);
    if (text == nullptr) continue;
    const std::vector<Outcome *> needing = text->outcomes_needing(place.line, place.column);
    for (Outcome *one : needing)
      one->refuse(text->file().note_at(one->begin, kReason + error.message));
    if (!needing.empty()) return true;
    Outcome *outcome = text->outcome_at(place.line, place.column);
    if (outcome == nullptr) continue;
    outcome->refuse(
        text->file().note_at(text->old_offset(place.line, place.column), kReason + error.message));
    return true;
  }
  return false;
}

bool Check::refuse_all(const Error &error) {
  bool is_any = false;
  for (auto &[path, text] : texts_) {
    FileChanges &file = changes_.files().at(path);
    for (Outcome &outcome : file.outcomes) {
      if (!outcome.is_rewritten()) continue;
      outcome.refuse(file.note_at(outcome.begin, kReason + error.message));
      is_any = true;
    }
  }
  return is_any;
}

bool Check::check(const clang::tooling::CompileCommand &command) {
  bool is_changed = false;
  while (llvm::any_of(changes_.files(), [](const auto &file) {
    return llvm::any_of(file.second.outcomes, [](const auto &one) { return one.is_rewritten(); });
  })) {
    std::optional<Error> error = compile(command, true);
    if (error && error->message.empty()) return is_changed;
    if (error && refuse(*error, command.Directory)) {
      changes_.settle();
      is_changed = true;
      continue;
    }
    // It may be no fault of the new code.
    const std::map<std::string, NewText> texts = std::move(texts_);
    const std::optional<Error> before = error ? compile(command, false) : std::nullopt;
    if (!before || !before->message.empty()) {
      llvm::errs() << "nopal-migrate: " << command.Filename
                   << ": not known whether the new code compiles, since "
                   << (before ? "nopal-clang says of the old: " + before->message
                              : "there is no nopal-clang in " + binaries_)
                   << "\n";
      return is_changed;
    }
    // Another file may have had a library from a header in which nothing uses it now.
    bool may_keep = false;
    for (const auto &[path, text] : texts)
      may_keep |= !std::exchange(changes_.files().at(path).keeps_includes, true);
    if (may_keep) continue;
    for (const auto &[path, text] : texts) texts_.emplace(path, text);
    if (!refuse_all(*error)) return is_changed;
    is_changed = true;
  }
  return is_changed;
}

}  // namespace

void check(Changes &changes, bool has_comments, const std::string &binaries,
           const std::vector<clang::tooling::CompileCommand> &commands) {
  Check all(changes, has_comments, binaries);
  // What stays in a header may matter to another translation unit.
  bool is_changed = true;
  while (is_changed) {
    is_changed = false;
    for (const clang::tooling::CompileCommand &command : commands) is_changed |= all.check(command);
    if (commands.size() < 2) break;
  }
}

}  // namespace nopal::migrate
