// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "new_text.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <tuple>

namespace nopal::migrate {

using clang::SourceLocation;

// Calls `visit` for each token that is in no directive, until it returns false.
static void each_token(llvm::StringRef text,
                       llvm::function_ref<bool(const clang::Token &, std::size_t offset)> visit) {
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.RawStringLiterals = true;
  clang::Lexer lexer(SourceLocation(), language, text.begin(), text.begin(), text.end());
  clang::Token token;
  bool is_directive = false;
  while (!lexer.LexFromRawLexer(token)) {
    if (token.isAtStartOfLine()) is_directive = token.is(clang::tok::hash);
    const auto end = static_cast<std::size_t>(lexer.getBufferLocation() - text.begin());
    if (!is_directive && !visit(token, end - token.getLength())) return;
  }
}

// Where the headers and helpers go: after the last include that no #if surrounds and that is before
// the first code, else before that.
static unsigned place_of_includes(const FileChanges &file) {
  std::size_t code = file.text.size();
  each_token(file.text, [&](const clang::Token &, std::size_t offset) {
    code = offset;
    return false;
  });
  unsigned place = 0;
  for (const FileChanges::Include &include : file.includes)
    if (!include.is_conditional && include.end <= code) place = std::max(place, include.end);
  if (place != 0) return place;
  llvm::StringRef rest(file.text);
  rest = rest.drop_front(length_of_mark(rest));
  while (rest.starts_with("//") || rest.starts_with("\n") || rest.starts_with("\r\n") ||
         rest.starts_with("#pragma once"))
    rest = rest.drop_front(std::min(rest.size(), rest.find('\n') + 1));
  return static_cast<unsigned>(file.text.size() - rest.size());
}

static Edit comment_of(const FileChanges &file, const Note &note) {
  const std::size_t mark = length_of_mark(file.text);
  const std::size_t begin = std::max(line_outside_tokens(file.text, note.offset), mark);
  const std::size_t code = file.text.find_first_not_of(" \t", begin);
  const std::string beginning = "// nopal-migrate: ", comment = beginning + note.reason;
  // A second run does not say it again, and the definition of a macro has no room for a comment.
  llvm::StringRef above = llvm::StringRef(file.text).take_front(begin).drop_back(begin != 0);
  bool is_left_out = above.rtrim('\r').ends_with("\\");
  for (llvm::StringRef line; !is_left_out; is_left_out = line == comment) {
    std::tie(above, line) = above.contains('\n') ? above.rsplit('\n') : std::pair("", above);
    line = line.trim();
    if (!line.starts_with(beginning)) break;
  }
  return {static_cast<unsigned>(begin), 0,
          is_left_out ? "" : file.text.substr(begin, code - begin) + comment + "\n", Edit::kBefore};
}

namespace {

// The lines that a library needs and nothing else does: its includes and using directives.
struct Library {
  std::vector<llvm::StringRef> headers, names, directives;
};

}  // namespace

static const Library kLibraries[] = {
    {{"<omp.h>"}, {"omp_"}, {}},
    {{"<tbb/", "<oneapi/tbb/", "<oneapi/tbb.h>", "\"tbb/"},
     {"tbb", "concurrent_", "spin_", "queuing_", "task_", "global_control", "flow", "scalable_",
      "cache_aligned_", "rw_mutex", "speculative_", "collaborative_", "tick_count",
      "blocked_range"},
     {"using namespace tbb;", "using namespace oneapi::tbb;", "using namespace oneapi;"}},
};

static bool is_used(const Library &library, llvm::StringRef text) {
  // The directives would use the library's name.
  std::string others;
  llvm::SmallVector<llvm::StringRef> lines;
  text.split(lines, '\n');
  for (const llvm::StringRef line : lines)
    if (!llvm::is_contained(library.directives, line.trim())) others += line.str() + "\n";
  bool is = false;
  each_token(others, [&](const clang::Token &token, std::size_t) {
    if (token.is(clang::tok::raw_identifier))
      is |= llvm::any_of(library.names, [&](auto beginning) {
        return token.getRawIdentifier().starts_with(beginning);
      });
    return !is;
  });
  return is;
}

static bool has_include(const Library &library, llvm::StringRef line) {
  line = line.trim();
  return line.consume_front("#") && (line = line.ltrim(), line.consume_front("include")) &&
         llvm::any_of(library.headers,
                      [&](auto header) { return line.ltrim().starts_with(header); });
}

// Edits that remove the lines of a library, also an #if around an include that is all it has.
static std::vector<Edit> without_library(const FileChanges &file, const Library &library) {
  std::vector<Edit> edits;
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(file.text).drop_front(length_of_mark(file.text)).split(lines, '\n');
  const auto starts = [&](std::size_t i, llvm::StringRef word) {
    return i < lines.size() && lines[i].trim().starts_with(word);
  };
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (!has_include(library, lines[i]) && !llvm::is_contained(library.directives, lines[i].trim()))
      continue;
    std::size_t begin = i, end = i + 1;
    while (end < lines.size() && has_include(library, lines[end])) ++end;
    if (i > 0 && starts(i - 1, "#if") && starts(end, "#endif")) {
      --begin;
      ++end;
    }
    // No two empty lines in a row are left.
    if (begin > 0 && end < lines.size() && lines[end].trim().empty() &&
        lines[begin - 1].trim().empty())
      ++end;
    const auto from = static_cast<unsigned>(lines[begin].begin() - file.text.data());
    const std::size_t to = end < lines.size()
                               ? static_cast<std::size_t>(lines[end].begin() - file.text.data())
                               : file.text.size();
    edits.push_back({from, static_cast<unsigned>(to - from), "", Edit::kReplace});
    i = end - 1;
  }
  return edits;
}

std::vector<NewText::Owned> NewText::edits_of_outcomes(bool has_comments) const {
  std::vector<Owned> edits;
  std::vector<std::pair<std::string, std::string>> renames;
  for (std::size_t i = 0; i < file_.outcomes.size(); ++i) {
    const Outcome &outcome = file_.outcomes[i];
    for (const Edit &edit : outcome.edits) edits.push_back({edit, static_cast<int>(i)});
    if (outcome.note && has_comments) {
      const Edit comment = comment_of(file_, *outcome.note);
      if (llvm::none_of(edits, [&](const Owned &other) { return other.edit == comment; }))
        edits.push_back({comment, kAdded});
    }
    renames.insert(renames.end(), outcome.renames.begin(), outcome.renames.end());
  }
  for (const auto &[from, to] : renames)
    for (auto &[edit, outcome] : edits)
      for (std::size_t at = edit.text.find(from); at != std::string::npos;
           at = edit.text.find(from, at + to.size()))
        edit.text.replace(at, from.size(), to);
  return edits;
}

// New text as in a file whose lines end with a carriage return, too.
static std::string with_line_ends(const std::string &text, bool has_returns) {
  if (!has_returns) return text;
  std::string all;
  for (const char c : text) {
    if (c == '\n' && !llvm::StringRef(all).ends_with("\r")) all += '\r';
    all += c;
  }
  return all;
}

bool NewText::put_together(std::vector<Owned> edits) {
  std::vector<std::size_t> order(edits.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::size_t i) {
    const auto sequence = static_cast<long>(i);
    const Edit &edit = edits[i].edit;
    return std::tuple(edit.offset, edit.kind, edit.kind == Edit::kAfter ? -sequence : sequence);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  text_.clear();
  pieces_.clear();
  unsigned done = 0;  // of the old text
  const Owned *last = nullptr;
  const bool has_returns = llvm::StringRef(file_.text).split('\n').first.ends_with("\r");
  for (const std::size_t i : order) {
    const auto &[edit, outcome] = edits[i];
    if (edit.offset < done && outcome < 0 && last->outcome < 0) continue;  // no construct's
    if (edit.offset < done) {
      const Note note = file_.note_at(edit.offset, outcome == last->outcome
                                                       ? "a macro uses a part of it in two ways"
                                                       : "its edits and those of another construct "
                                                         "meet");
      for (const int which : {outcome, last->outcome})
        if (which >= 0) file_.outcomes[static_cast<std::size_t>(which)].refuse(note);
      return false;
    }
    pieces_.push_back({text_.size(), done, kOld});
    text_ += file_.text.substr(done, edit.offset - done);
    pieces_.push_back({text_.size(), edit.offset, outcome});
    text_ += with_line_ends(edit.text, has_returns);
    done = edit.offset + edit.length;
    last = &edits[i];
  }
  pieces_.push_back({text_.size(), done, kOld});
  text_ += file_.text.substr(done);
  return true;
}

// A header and a file that includes it may both need it, also if they are rewritten one by one.
static std::string in_guard(const std::string &name, const std::string &definition) {
  const std::string macro = llvm::StringRef(name).upper();
  return "#ifndef " + macro + "\n#define " + macro + "\n" + definition + "#endif\n";
}

NewText::NewText(FileChanges &file, bool has_comments) : file_(file) {
  const auto is_rewritten = [](const Outcome &outcome) { return outcome.is_rewritten(); };
  // Until no two outcomes overlap: each time two have notes instead.
  for (;;) {
    std::vector<Owned> edits = edits_of_outcomes(has_comments);
    if (!put_together(edits)) continue;
    if (llvm::none_of(file.outcomes, is_rewritten)) return;
    std::string headers, helpers;
    std::set<std::string> needed;
    std::map<std::string, std::string> definitions;
    for (const Outcome &outcome : file.outcomes) {
      needed.insert(outcome.headers.begin(), outcome.headers.end());
      definitions.insert(outcome.helpers.begin(), outcome.helpers.end());
    }
    for (const std::string &header : needed)
      if (llvm::none_of(file.includes,
                        [&](const auto &include) { return "<" + include.name + ">" == header; }))
        headers += "#include " + header + "\n";
    for (const auto &[name, definition] : definitions) helpers += "\n" + in_guard(name, definition);
    // What stays needs the old library.
    std::vector<Edit> dropped;
    if (llvm::all_of(file.outcomes, is_rewritten) && !file.keeps_includes)
      for (const Library &library : kLibraries)
        if (!is_used(library, text_))
          for (const Edit &edit : without_library(file, library)) dropped.push_back(edit);
    // The new headers stand where the first old one did, but not under its condition.
    const auto first = llvm::find_if(dropped, [&](const Edit &edit) {
      return llvm::any_of(file.includes, [&](const FileChanges::Include &include) {
        return !include.is_conditional && include.end > edit.offset &&
               include.end <= edit.offset + edit.length;
      });
    });
    if (first != dropped.end()) {
      first->text = headers;
      headers.clear();
    }
    unsigned place = place_of_includes(file);
    for (const Edit &edit : dropped) {
      edits.push_back({edit, kAdded});
      if (place > edit.offset && place < edit.offset + edit.length)
        place = edit.offset + edit.length;
    }
    edits.push_back({{place, 0, headers + helpers, Edit::kAfter}, kAdded});
    if (put_together(edits)) return;
  }
}

std::size_t NewText::offset_of(unsigned line, unsigned column) const {
  llvm::StringRef rest(text_);
  while (--line != 0) rest = rest.split('\n').second;
  return text_.size() - rest.drop_front(std::min<std::size_t>(rest.size(), column - 1)).size();
}

const NewText::Piece &NewText::piece_at(std::size_t offset) const {
  auto after = llvm::upper_bound(
      pieces_, offset, [](std::size_t value, const Piece &piece) { return value < piece.begin; });
  return *std::prev(after);
}

unsigned NewText::old_offset(unsigned line, unsigned column) const {
  const std::size_t offset = offset_of(line, column);
  const Piece &piece = piece_at(offset);
  return piece.old_offset +
         (piece.outcome == kOld ? static_cast<unsigned>(offset - piece.begin) : 0);
}

std::vector<Outcome *> NewText::outcomes_needing(unsigned line, unsigned column) {
  const std::size_t offset = offset_of(line, column);
  const Piece &piece = piece_at(offset);
  if (piece.outcome != kAdded) return {};
  llvm::StringRef header = llvm::StringRef(text_).drop_front(offset - (column - 1));
  header = header.split('\n').first.trim();
  const bool is_header = header.consume_front("#include ");
  // A helper stands after the line that asks for its macro.
  const llvm::StringRef before = llvm::StringRef(text_).slice(piece.begin, offset);
  const std::size_t guard = before.rfind("#ifndef ");
  const llvm::StringRef macro =
      guard == llvm::StringRef::npos ? "" : before.drop_front(guard + 8).split('\n').first.trim();
  std::vector<Outcome *> found;
  for (Outcome &outcome : file_.outcomes)
    if (is_header ? outcome.headers.count(header.str()) != 0
                  : llvm::any_of(outcome.helpers, [&](const auto &helper) {
                      return llvm::StringRef(helper.first).upper() == macro;
                    }))
      found.push_back(&outcome);
  return found;
}

Outcome *NewText::outcome_at(unsigned line, unsigned column) {
  const Piece &piece = piece_at(offset_of(line, column));
  if (piece.outcome >= 0) return &file_.outcomes[static_cast<std::size_t>(piece.outcome)];
  if (piece.outcome == kAdded) return nullptr;
  const unsigned place = old_offset(line, column);
  Outcome *innermost = nullptr;
  unsigned shortest = 0;
  for (Outcome &outcome : file_.outcomes) {
    if (outcome.edits.empty()) continue;
    unsigned begin = outcome.begin, end = outcome.begin;
    for (const Edit &edit : outcome.edits) {
      begin = std::min(begin, edit.offset);
      end = std::max(end, edit.offset + edit.length);
    }
    if (place < begin || place >= end) continue;
    if (innermost == nullptr || end - begin < shortest) {
      innermost = &outcome;
      shortest = end - begin;
    }
  }
  return innermost;
}

}  // namespace nopal::migrate
