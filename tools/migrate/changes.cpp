// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "changes.h"

#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Lex/Lexer.h"
#include "llvm/Support/Path.h"

#include <algorithm>

namespace nopal::migrate {

using clang::CharSourceRange;
using clang::SourceLocation;
using clang::SourceRange;

FileChanges &Changes::file(const clang::SourceManager &sources, clang::FileID id) {
  llvm::SmallString<256> path(sources.getFilename(sources.getLocForStartOfFile(id)));
  sources.getFileManager().makeAbsolutePath(path);
  llvm::sys::path::remove_dots(path, true);
  FileChanges &file = files_[std::string(path)];
  if (file.path.empty()) {
    file.path = std::string(path);
    file.text = sources.getBufferData(id).str();
  }
  return file;
}

bool Changes::claim(const std::string &path, unsigned offset, const std::string &what) {
  return claimed_.insert(path + ":" + std::to_string(offset) + ":" + what).second;
}

void Changes::rename_in_edits(const clang::SourceManager &sources, SourceLocation location,
                              const std::string &from, const std::string &to) {
  FileChanges &file = this->file(sources, sources.getFileID(sources.getExpansionLoc(location)));
  for (Edit &edit : file.edits)
    for (std::size_t at = edit.text.find(from); at != std::string::npos;
         at = edit.text.find(from, at + to.size()))
      edit.text.replace(at, from.size(), to);
}

static std::string name_of(const clang::SourceManager &sources,
                           const clang::FunctionDecl *function) {
  return "function:" + sources.getExpansionLoc(function->getLocation()).printToString(sources);
}

void Changes::claim(const clang::SourceManager &sources, const clang::FunctionDecl *function) {
  claimed_.insert(name_of(sources, function));
}

bool Changes::is_claimed(const clang::SourceManager &sources,
                         const clang::FunctionDecl *function) const {
  return claimed_.count(name_of(sources, function)) != 0;
}

// Where the headers and helpers go: after the last include that no #if surrounds, else before the
// first line of code.
static unsigned place_of_includes(const FileChanges &file) {
  unsigned place = 0;
  for (const FileChanges::Include &include : file.includes)
    if (!include.is_conditional) place = std::max(place, include.end);
  if (place != 0) return place;
  llvm::StringRef rest(file.text);
  while (rest.starts_with("//") || rest.starts_with("\n") || rest.starts_with("#pragma once"))
    rest = rest.drop_front(std::min(rest.size(), rest.find('\n') + 1));
  return static_cast<unsigned>(file.text.size() - rest.size());
}

static Edit comment_of(const FileChanges &file, const Note &note) {
  const llvm::StringRef before = llvm::StringRef(file.text).take_front(note.offset);
  const std::size_t newline = before.rfind('\n');
  const std::size_t begin = newline == llvm::StringRef::npos ? 0 : newline + 1;
  const std::size_t code = file.text.find_first_not_of(" \t", begin);
  const std::string comment = "// nopal-migrate: " + note.reason + "\n";
  const llvm::StringRef above = before.take_front(begin);
  // A second run does not say it again, and the definition of a macro has no room for a comment.
  const bool is_left_out = above.ends_with(comment) || above.ends_with("\\\n");
  return {static_cast<unsigned>(begin), 0,
          is_left_out ? "" : file.text.substr(begin, code - begin) + comment, Edit::kBefore};
}

static llvm::Expected<std::string> new_text(const FileChanges &file,
                                            const std::vector<Edit> &edits) {
  std::vector<std::size_t> order(edits.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::size_t i) {
    const auto sequence = static_cast<long>(i);
    return std::tuple(edits[i].offset, edits[i].kind,
                      edits[i].kind == Edit::kAfter ? -sequence : sequence);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  // Edits that touch become one: Replacements have no order at one offset.
  std::vector<Edit> merged;
  for (const std::size_t i : order) {
    const Edit &edit = edits[i];
    if (!merged.empty() && edit.offset == merged.back().offset + merged.back().length) {
      merged.back().length += edit.length;
      merged.back().text += edit.text;
    } else {
      merged.push_back(edit);
    }
  }
  clang::tooling::Replacements replacements;
  for (const Edit &edit : merged)
    if (llvm::Error error = replacements.add(
            clang::tooling::Replacement(file.path, edit.offset, edit.length, edit.text)))
      return error;
  return clang::tooling::applyAllReplacements(file.text, replacements);
}

// Whether code still uses a name that begins so, or is it.
static bool uses_name(llvm::StringRef text, llvm::ArrayRef<llvm::StringRef> beginnings) {
  clang::LangOptions language;
  language.CPlusPlus = true;
  clang::Lexer lexer(SourceLocation(), language, text.begin(), text.begin(), text.end());
  clang::Token token;
  bool is_pragma_or_include = false;
  while (!lexer.LexFromRawLexer(token)) {
    if (token.isAtStartOfLine()) is_pragma_or_include = token.is(clang::tok::hash);
    if (is_pragma_or_include || token.isNot(clang::tok::raw_identifier)) continue;
    for (const llvm::StringRef beginning : beginnings)
      if (token.getRawIdentifier().starts_with(beginning)) return true;
  }
  return false;
}

// The lines that a library needs and nothing else does: its includes and using directives.
struct Library {
  std::vector<llvm::StringRef> headers, names, directives;
};
static const Library kLibraries[] = {
    {{"<omp.h>"}, {"omp_"}, {}},
    {{"<tbb/", "<oneapi/tbb/", "<oneapi/tbb.h>", "\"tbb/"},
     {"tbb", "concurrent_", "spin_", "queuing_", "task_", "global_control", "flow", "scalable_",
      "cache_aligned_", "rw_mutex", "speculative_", "collaborative_", "tick_count"},
     {"using namespace tbb;", "using namespace oneapi::tbb;", "using namespace oneapi;"}},
};

// <name> of an include.
static bool is_header_of_library(llvm::StringRef header) {
  return llvm::any_of(kLibraries, [&](const Library &library) {
    return llvm::any_of(library.headers, [&](auto name) { return header.starts_with(name); });
  });
}

// Removes the lines of libraries that are not used any more; the first makes room for `headers`.
static bool drop_unused(std::string &text, const std::string &headers) {
  bool is_placed = false;
  for (const Library &library : kLibraries) {
    std::string others;
    llvm::SmallVector<llvm::StringRef> lines;
    llvm::StringRef(text).split(lines, '\n');
    const auto is_of_library = [&](llvm::StringRef line) {
      line = line.trim();
      if (llvm::is_contained(library.directives, line)) return true;
      return line.consume_front("#include") && llvm::any_of(library.headers, [&](auto header) {
               return line.ltrim().starts_with(header);
             });
    };
    for (const llvm::StringRef line : lines)
      if (!is_of_library(line)) others += line.str() + "\n";
    if (uses_name(others, library.names)) continue;
    std::string kept;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (is_of_library(lines[i])) {
        if (!is_placed) kept += headers;
        is_placed = true;
        // No two empty lines in a row are left.
        if (i + 1 < lines.size() && lines[i + 1].empty() &&
            (kept.empty() || llvm::StringRef(kept).ends_with("\n\n")))
          ++i;
      } else {
        kept += lines[i].str();
        if (i + 1 < lines.size()) kept += '\n';
      }
    }
    text = kept;
  }
  return is_placed;
}

llvm::Expected<std::string> new_text(const FileChanges &file) {
  std::vector<Edit> edits = file.edits;
  for (const Note &note : file.notes) edits.push_back(comment_of(file, note));
  if (file.constructs == 0) return new_text(file, edits);
  std::string headers, helpers;
  for (const std::string &header : file.headers)
    if (llvm::none_of(file.includes,
                      [&](const auto &include) { return "<" + include.name + ">" == header; }))
      headers += "#include " + header + "\n";
  for (const auto &[name, definition] : file.helpers) helpers += "\n" + definition;
  const unsigned place = place_of_includes(file);
  edits.push_back({place, 0, helpers, Edit::kAfter});
  const bool may_drop = file.notes.empty() && !file.headers_stay;
  // The new headers must not come to stand under the condition of an old one.
  const bool is_surrounded = llvm::any_of(file.includes, [](const auto &include) {
    return include.is_conditional && is_header_of_library("<" + include.name + ">");
  });
  if (may_drop && !is_surrounded) {
    llvm::Expected<std::string> text = new_text(file, edits);
    if (!text || drop_unused(*text, headers)) return text;
  }
  edits.back().text = headers + helpers;
  llvm::Expected<std::string> text = new_text(file, edits);
  if (text && may_drop && is_surrounded) drop_unused(*text, "");
  return text;
}

CharSourceRange Source::range(SourceRange tokens) const {
  return clang::Lexer::makeFileCharRange(CharSourceRange::getTokenRange(tokens), sources,
                                         context.getLangOpts());
}

std::string Source::text(SourceRange tokens) const {
  return clang::Lexer::getSourceText(range(tokens), sources, context.getLangOpts()).str();
}

SourceLocation Source::end(const clang::Stmt *statement) const {
  const clang::Stmt *last = statement;
  for (;;) {
    const clang::Stmt *inner = nullptr;
    if (auto *loop = llvm::dyn_cast<clang::ForStmt>(last)) inner = loop->getBody();
    if (auto *loop = llvm::dyn_cast<clang::CXXForRangeStmt>(last)) inner = loop->getBody();
    if (auto *loop = llvm::dyn_cast<clang::WhileStmt>(last)) inner = loop->getBody();
    if (auto *choice = llvm::dyn_cast<clang::IfStmt>(last))
      inner = choice->getElse() != nullptr ? choice->getElse() : choice->getThen();
    if (auto *captured = llvm::dyn_cast<clang::CapturedStmt>(last))
      inner = captured->getCapturedStmt();
    if (auto *directive = llvm::dyn_cast<clang::OMPExecutableDirective>(last))
      inner = directive->hasAssociatedStmt() ? directive->getAssociatedStmt() : nullptr;
    if (auto *labelled = llvm::dyn_cast<clang::LabelStmt>(last)) inner = labelled->getSubStmt();
    if (auto *attributed = llvm::dyn_cast<clang::AttributedStmt>(last))
      inner = attributed->getSubStmt();
    if (inner == nullptr) break;
    last = inner;
  }
  const CharSourceRange characters = range(last->getSourceRange());
  if (characters.isInvalid()) return {};
  const SourceLocation after = characters.getEnd();
  if (llvm::isa<clang::CompoundStmt, clang::DeclStmt, clang::NullStmt, clang::SwitchStmt,
                clang::CXXTryStmt>(last))
    return after;
  const auto [file, offset] = sources.getDecomposedLoc(after);
  const llvm::StringRef text = sources.getBufferData(file);
  clang::Lexer lexer(sources.getLocForStartOfFile(file), context.getLangOpts(), text.begin(),
                     text.begin() + offset, text.end());
  clang::Token next;
  lexer.LexFromRawLexer(next);
  return next.is(clang::tok::semi) ? next.getEndLoc() : SourceLocation();
}

SourceLocation Source::line_begin(SourceLocation location) const {
  const auto [file, offset] = sources.getDecomposedLoc(location);
  const llvm::StringRef before = sources.getBufferData(file).take_front(offset);
  const std::size_t line = before.rfind('\n');
  const std::size_t begin = line == llvm::StringRef::npos ? 0 : line + 1;
  return location.getLocWithOffset(-static_cast<int>(offset - begin));
}

std::string Source::indentation(SourceLocation location) const {
  const llvm::StringRef rest = sources.getCharacterData(line_begin(location));
  return rest.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

std::string Source::indentation_of_pragma(SourceLocation pragma) const {
  const std::string own = indentation(pragma);
  if (!own.empty()) return own;
  llvm::StringRef rest = sources.getCharacterData(line_begin(pragma));
  bool is_continued = false;
  while (!rest.empty()) {
    const auto [line, others] = rest.split('\n');
    const bool is_code = !is_continued && !line.trim().empty() && !line.starts_with("#");
    if (is_code) {
      const std::string found = line.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
      return line.trim().starts_with("}") ? found + "  " : found;
    }
    is_continued = line.ends_with("\\");
    rest = others;
  }
  return own;
}

std::string Source::fresh(const std::string &base) const {
  std::string name = base;
  for (int number = 2; context.Idents.find(name) != context.Idents.end(); ++number)
    name = base + std::to_string(number);
  return name;
}

bool Source::in_system_header(SourceLocation location) const {
  return location.isInvalid() || sources.isInSystemHeader(sources.getExpansionLoc(location));
}

void Construct::replace(SourceRange tokens, const llvm::Twine &text) {
  replace(source_.range(tokens), text);
}

void Construct::replace(CharSourceRange characters, const llvm::Twine &text) {
  if (characters.isInvalid()) return refuse(begin_, "part of it is in a macro");
  const unsigned length = source_.sources.getFileOffset(characters.getEnd()) -
                          source_.sources.getFileOffset(characters.getBegin());
  edits_.push_back({characters.getBegin(), length, text.str(), Edit::kReplace});
}

void Construct::before(SourceLocation token, const llvm::Twine &text) {
  if (token.isInvalid() || token.isMacroID()) return refuse(begin_, "part of it is in a macro");
  edits_.push_back({token, 0, text.str(), Edit::kBefore});
}

void Construct::after(SourceLocation end, const llvm::Twine &text) {
  if (end.isInvalid() || end.isMacroID()) return refuse(begin_, "part of it is in a macro");
  edits_.push_back({end, 0, text.str(), Edit::kAfter});
}

void Construct::replace_pragma(SourceRange pragma, const llvm::Twine &lines) {
  const SourceLocation begin = pragma.getBegin(), end = pragma.getEnd();
  if (begin.isInvalid() || begin.isMacroID() || end.isMacroID() ||
      *source_.sources.getCharacterData(begin) != '#')
    return refuse(begin_, "its pragma is in a macro or is written as _Pragma");
  const SourceLocation line = source_.line_begin(begin);
  const llvm::StringRef rest = source_.sources.getCharacterData(end);
  const auto length = static_cast<int>(std::min(rest.size(), rest.find('\n') + 1));
  replace(CharSourceRange::getCharRange(line, end.getLocWithOffset(length)), lines);
}

void Construct::refuse(SourceLocation at, const llvm::Twine &reason) {
  if (is_refused_) return;
  is_refused_ = true;
  refused_at_ = at.isValid() ? at : begin_;
  reason_ = reason.str();
}

void Construct::commit(const std::string &what) {
  const clang::SourceManager &sources = source_.sources;
  for (const Placed &edit : edits_)
    if (!is_refused_ && sources.getFileID(edit.at) != sources.getFileID(edits_.front().at))
      refuse(begin_, "it is spread over several files");
  const SourceLocation place = sources.getExpansionLoc(is_refused_ ? refused_at_ : begin_);
  const clang::FileID id = sources.getFileID(place);
  FileChanges &file = source_.changes.file(sources, id);
  const unsigned offset = sources.getFileOffset(place);
  if (!source_.changes.claim(file.path, sources.getFileOffset(sources.getExpansionLoc(begin_)),
                             what))
    return;
  if (is_refused_) {
    file.notes.push_back({offset, sources.getExpansionLineNumber(place),
                          sources.getExpansionColumnNumber(place), reason_});
    return;
  }
  ++file.constructs;
  for (const Placed &edit : edits_)
    file.edits.push_back({sources.getFileOffset(edit.at), edit.length, edit.text, edit.kind});
  file.headers.insert(headers_.begin(), headers_.end());
  file.helpers.insert(helpers_.begin(), helpers_.end());
}

}  // namespace nopal::migrate
