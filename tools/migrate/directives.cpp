// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "directives.h"

#include "clang/Lex/Token.h"
#include "llvm/Support/Regex.h"

namespace nopal::migrate {

using clang::SourceLocation;

void Directives::InclusionDirective(SourceLocation hash, const clang::Token &, llvm::StringRef name,
                                    bool, clang::CharSourceRange, clang::OptionalFileEntryRef,
                                    llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
                                    clang::SrcMgr::CharacteristicKind) {
  if (sources_.isInSystemHeader(hash) || hash.isMacroID()) return;
  const auto [id, offset] = sources_.getDecomposedLoc(hash);
  FileChanges &file = changes_.file(sources_, id);
  const std::size_t end = std::min(file.text.size(), file.text.find('\n', offset) + 1);
  State &state = states_[id];
  for (const FileChanges::Include &known : file.includes)
    if (known.end == end) return;
  file.includes.push_back({static_cast<unsigned>(end), name.str(), state.depth > 0});
  if (state.depth == 1 && state.guard.isValid())
    state.guarded.push_back(static_cast<unsigned>(end));
}

void Directives::open(SourceLocation at) {
  State &state = states_[sources_.getFileID(at)];
  ++state.depth;
  ++state.count;
  state.branches.emplace_back();
  begin_branch(at);
}

void Directives::begin_branch(SourceLocation at) {
  State &state = states_[sources_.getFileID(at)];
  if (!state.branches.empty()) state.branches.back().push_back(sources_.getFileOffset(at));
}

// `is_removed`: with the directives around it.
void Directives::end_branches(SourceLocation at, bool is_removed) {
  State &state = states_[sources_.getFileID(at)];
  if (state.branches.empty()) return;
  begin_branch(at);
  const std::vector<unsigned> begins = state.branches.back();
  state.branches.pop_back();
  if (is_removed || sources_.isInSystemHeader(at)) return;
  for (std::size_t i = 0; i + 1 < begins.size(); ++i)
    changes_.file(sources_, sources_.getFileID(at)).branches.emplace(begins[i], begins[i + 1]);
}

void Directives::found(SourceLocation at, bool is_plain) {
  if (!sources_.isInSystemHeader(at)) conditions_.push_back({at, {}, {}, is_plain});
}

static bool asks_for_openmp(llvm::StringRef line) {
  static const llvm::Regex kName("(^|[^A-Za-z0-9_])_OPENMP([^A-Za-z0-9_]|$)");
  return kName.match(line);
}

void Directives::If(SourceLocation at, clang::SourceRange, ConditionValueKind) {
  open(at);
  // As it is written: the tokens may come from macros.
  llvm::StringRef line = llvm::StringRef(sources_.getCharacterData(at)).split('\n').first;
  line.consume_front("if");
  line = line.split("//").first.split("/*").first.trim();
  if (asks_for_openmp(line))
    found(at, line == "defined(_OPENMP)" || line == "defined _OPENMP" || line == "_OPENMP");
}

void Directives::Ifdef(SourceLocation at, const clang::Token &name,
                       const clang::MacroDefinition &) {
  open(at);
  if (name.getIdentifierInfo()->getName() == "_OPENMP") found(at, true);
}

void Directives::Ifndef(SourceLocation at, const clang::Token &name,
                        const clang::MacroDefinition &) {
  State &state = states_[sources_.getFileID(at)];
  if (state.count == 0) state.guard = at;
  open(at);
  if (name.getIdentifierInfo()->getName() == "_OPENMP") found(at, false);
}

// A branch besides the first: what is under it depends on both conditions.
void Directives::other_branch(SourceLocation at, SourceLocation at_if) {
  begin_branch(at);
  for (Condition &condition : conditions_)
    if (at_if.isValid() && condition.at == at_if) condition.is_plain = false;
  const llvm::StringRef line =
      llvm::StringRef(sources_.getCharacterData(at)).split('\n').first.trim();
  if (!asks_for_openmp(line)) return;
  found(at, false);
  if (!conditions_.empty() && conditions_.back().at == at) conditions_.back().end = at;
}

void Directives::Elif(SourceLocation at, clang::SourceRange, ConditionValueKind,
                      SourceLocation at_if) {
  other_branch(at, at_if);
}
void Directives::Elifdef(SourceLocation at, const clang::Token &, const clang::MacroDefinition &) {
  other_branch(at, {});
}
void Directives::Elifdef(SourceLocation at, clang::SourceRange, SourceLocation at_if) {
  other_branch(at, at_if);
}
void Directives::Elifndef(SourceLocation at, const clang::Token &, const clang::MacroDefinition &) {
  other_branch(at, {});
}
void Directives::Elifndef(SourceLocation at, clang::SourceRange, SourceLocation at_if) {
  other_branch(at, at_if);
}

void Directives::Else(SourceLocation at, SourceLocation at_if) {
  begin_branch(at);
  for (Condition &condition : conditions_)
    if (condition.at == at_if) condition.at_else = at;
}

void Directives::Endif(SourceLocation at, SourceLocation at_if) {
  State &state = states_[sources_.getFileID(at)];
  --state.depth;
  if (state.guard.isValid() && at_if == state.guard) {
    // It guards the file if nothing comes after it.
    const llvm::StringRef rest = sources_.getCharacterData(next_line(at));
    if (rest.trim().empty() && !sources_.isInSystemHeader(at))
      for (FileChanges::Include &include : changes_.file(sources_, sources_.getFileID(at)).includes)
        include.is_conditional &= !llvm::is_contained(state.guarded, include.end);
    state.guard = {};
  }
  bool is_removed = false;
  for (Condition &condition : conditions_) {
    if (condition.at != at_if) continue;
    condition.end = at;
    bool has_pragma = false;
    is_removed = changes_nothing(condition, has_pragma) && has_pragma;
  }
  end_branches(at, is_removed);
}

void Directives::MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
                              clang::SourceRange, const clang::MacroArgs *) {
  const SourceLocation at = name.getLocation();
  if (name.getIdentifierInfo()->getName() != "_OPENMP" || sources_.isInSystemHeader(at)) return;
  const SourceLocation place = sources_.getExpansionLoc(at);
  const llvm::StringRef before =
      sources_.getBufferData(sources_.getFileID(place)).take_front(sources_.getFileOffset(place));
  // A condition asks for it, too.
  if (!before.rsplit('\n').second.ltrim().starts_with("#") || !at.isFileID())
    values_.push_back(place);
}

llvm::StringRef Directives::text_between(SourceLocation from, SourceLocation to) const {
  const char *begin = sources_.getCharacterData(from);
  return {begin, static_cast<std::size_t>(sources_.getCharacterData(to) - begin)};
}

SourceLocation Directives::next_line(SourceLocation at) const {
  const llvm::StringRef rest = sources_.getCharacterData(at);
  return at.getLocWithOffset(static_cast<int>(std::min(rest.size(), rest.find('\n') + 1)));
}

// Whether a line defines a function or macro of OpenMP's library, or ends such a function.
static bool stands_for_library(llvm::StringRef line) {
  static const llvm::Regex kMacro("^#[ \t]*define[ \t]+omp_");
  static const llvm::Regex kFunction("^([A-Za-z_\"]+[ \t*]+)+omp_[a-z_]+[ \t]*\\(");
  static const llvm::Regex kRest("^[{}]|^return ");
  return kMacro.match(line) || kFunction.match(line) || kRest.match(line);
}

// Whether the program is the same without OpenMP: pragmas, headers, and what stands for them.
bool Directives::changes_nothing(const Condition &condition, bool &has_pragma) const {
  if (!condition.is_plain) return false;
  const SourceLocation end = condition.at_else.isValid() ? condition.at_else : condition.end;
  llvm::SmallVector<llvm::StringRef> lines;
  text_between(next_line(condition.at), end).split(lines, '\n');
  bool is_continued = false;
  lines.pop_back();  // what is before the # of the last line
  for (llvm::StringRef line : lines) {
    line = line.trim();
    const bool is_pragma = line.starts_with("#pragma omp") || is_continued;
    if (!is_pragma && !line.empty() && !line.starts_with("#include") && !line.starts_with("//"))
      return false;
    has_pragma |= is_pragma;
    is_continued = is_pragma && line.ends_with("\\");
  }
  if (condition.at_else.isInvalid()) return true;
  lines.clear();
  text_between(next_line(condition.at_else), condition.end).split(lines, '\n');
  lines.pop_back();
  return !has_pragma && llvm::all_of(lines, [](llvm::StringRef line) {
    line = line.trim();
    return line.empty() || line.starts_with("//") || stands_for_library(line);
  });
}

void Directives::rewrite(Source &source, bool (*is_users)(const Source &, clang::SourceLocation)) {
  for (const Condition &condition : conditions_) {
    if (condition.end.isInvalid() || !is_users(source, condition.at)) continue;
    const clang::SourceLocation line = source.line_begin(condition.at);
    bool has_pragma = false;
    const bool is_same = changes_nothing(condition, has_pragma);
    if (is_same && !has_pragma) continue;
    Construct unit(source, line);
    if (is_same) {
      // The new code has lines in it and others after it.
      unit.remove_lines(clang::CharSourceRange::getCharRange(line, next_line(condition.at)));
      unit.remove_lines(clang::CharSourceRange::getCharRange(source.line_begin(condition.end),
                                                             next_line(condition.end)));
    } else {
      unit.refuse(
          condition.at,
          "without -fopenmp this condition selects other code: decide which branch to keep, "
          "and remove the condition");
    }
    unit.commit("condition");
  }
  for (const clang::SourceLocation at : values_) {
    if (!is_users(source, at)) continue;
    Construct unit(source, at);
    unit.refuse(at, "_OPENMP is a number with -fopenmp alone");
    unit.commit("value");
  }
}

}  // namespace nopal::migrate
