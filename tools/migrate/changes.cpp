// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "changes.h"

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

void Outcome::refuse(const Note &why) {
  if (is_optional)
    *this = {begin, {}, {}, {}, {}, {}, {}, std::nullopt, true};
  else
    *this = {begin, {}, {}, {}, {}, needed, kept, why};
}

Note FileChanges::note_at(unsigned offset, const std::string &reason) const {
  const llvm::StringRef before = llvm::StringRef(text).take_front(offset);
  const auto line = static_cast<unsigned>(before.count('\n')) + 1;
  const auto column = static_cast<unsigned>(before.size() - (before.rfind('\n') + 1)) + 1;
  return {offset, line, column, reason};
}

void Changes::commit(const std::string &key, FileChanges &file, Outcome outcome) {
  const auto [found, is_new] = known_.try_emplace(key, &file, file.outcomes.size());
  if (is_new) {
    file.outcomes.push_back(std::move(outcome));
    return;
  }
  FileChanges &first_file = *found->second.first;
  Outcome &first = first_file.outcomes[found->second.second];
  if (!first.is_rewritten()) return;
  if (outcome.note && &file == &first_file)
    first.refuse(*outcome.note);
  else if (outcome.note || outcome.edits != first.edits)
    first.refuse(first_file.note_at(
        first.begin, "its template's instances, or its file's inclusions, need different code"));
}

static std::string place_of(const clang::SourceManager &sources, SourceLocation at) {
  return sources.getExpansionLoc(at).printToString(sources);
}

void Changes::expect(const clang::SourceManager &sources, SourceLocation at,
                     const std::string &reason, const std::set<std::string> &kept) {
  const SourceLocation place = sources.getExpansionLoc(at);
  expected_.push_back({place_of(sources, at), &file(sources, sources.getFileID(place)),
                       sources.getFileOffset(place), reason, kept});
}

void Changes::refuse_unclaimed() {
  for (const Expected &one : expected_) {
    if (!claimed_.insert(one.place).second) continue;
    Outcome outcome{one.offset, {}, {}, {}, {}, {}, one.kept, {}};
    outcome.note = one.file->note_at(one.offset, one.reason);
    one.file->outcomes.push_back(outcome);
  }
}

void Changes::claim(const clang::SourceManager &sources, SourceLocation at) {
  claimed_.insert(place_of(sources, at));
}

bool Changes::are_split(const clang::SourceManager &sources, SourceLocation one,
                        SourceLocation other) {
  one = sources.getExpansionLoc(one);
  other = sources.getExpansionLoc(other);
  const clang::FileID id = sources.getFileID(one);
  if (id != sources.getFileID(other)) return false;
  const unsigned a = sources.getFileOffset(one), b = sources.getFileOffset(other);
  return llvm::any_of(file(sources, id).branches, [&](const auto &branch) {
    const auto holds = [&](unsigned at) { return branch.first <= at && at < branch.second; };
    return holds(a) != holds(b);
  });
}

bool Changes::is_claimed(const clang::SourceManager &sources, SourceLocation at) const {
  return claimed_.count(place_of(sources, at)) != 0;
}

void Changes::settle() {
  std::set<std::string> kept = facts_;
  for (const auto &[path, file] : files_)
    for (const Outcome &outcome : file.outcomes)
      if (outcome.note) {
        kept.insert(outcome.kept.begin(), outcome.kept.end());
        kept.insert(kOthersStay);
      }
  for (auto &[path, file] : files_)
    for (Outcome &outcome : file.outcomes) {
      const auto found = llvm::find_if(
          outcome.needed, [&](const std::string &reason) { return kept.count(reason) != 0; });
      if (!outcome.is_rewritten() || found == outcome.needed.end()) continue;
      outcome.refuse(file.note_at(outcome.begin, *found));
      // That keeps something of its own.
      return settle();
    }
}

void Construct::replace(SourceRange tokens, const llvm::Twine &text) {
  replace(source_.range(tokens), text);
}

void Construct::replace(CharSourceRange characters, const llvm::Twine &text) {
  if (characters.isInvalid()) return refuse(begin_, "part of it is in a macro");
  const auto [file, begin] = source_.sources.getDecomposedLoc(characters.getBegin());
  const unsigned end = source_.sources.getFileOffset(characters.getEnd());
  const Trivia found = trivia_of(source_.sources.getBufferData(file), begin, end);
  if (found.has_directive)
    refuse(characters.getBegin(),
           "preprocessor directives stand in code that would go: move them out of it");
  add(characters, text, found.comments);
}

void Construct::add(CharSourceRange characters, const llvm::Twine &text,
                    const std::vector<Comment> &comments) {
  const unsigned length = source_.sources.getFileOffset(characters.getEnd()) -
                          source_.sources.getFileOffset(characters.getBegin());
  edits_.push_back({characters.getBegin(), length, text.str(), Edit::kReplace, comments});
}

void Construct::remove_statement(const clang::Stmt *statement) {
  const SourceLocation begin = statement->getBeginLoc(), end = source_.end(statement);
  if (end.isInvalid()) return refuse(begin, "part of it is in a macro");
  const llvm::StringRef rest = source_.sources.getCharacterData(end);
  const int line_end = rest.starts_with("\n") ? 1 : rest.starts_with("\r\n") ? 2 : 0;
  const bool is_alone = line_end != 0 && source_.is_first_on_line(begin);
  replace(CharSourceRange::getCharRange(is_alone ? source_.line_begin(begin) : begin,
                                        is_alone ? end.getLocWithOffset(line_end) : end),
          "");
}

void Construct::remove_lines(CharSourceRange lines) { add(lines, "", {}); }

void Construct::before(SourceLocation token, const llvm::Twine &text) {
  if (token.isInvalid() || token.isMacroID()) return refuse(begin_, "part of it is in a macro");
  edits_.push_back({token, 0, text.str(), Edit::kBefore, {}});
}

void Construct::after(SourceLocation end, const llvm::Twine &text) {
  if (end.isInvalid() || end.isMacroID()) return refuse(begin_, "part of it is in a macro");
  edits_.push_back({end, 0, text.str(), Edit::kAfter, {}});
}

void Construct::replace_pragma(SourceRange pragma, const llvm::Twine &lines) {
  const SourceLocation begin = pragma.getBegin(), end = pragma.getEnd();
  if (begin.isInvalid() || begin.isMacroID() || end.isMacroID() ||
      *source_.sources.getCharacterData(begin) != '#')
    return refuse(begin_, "its pragma is in a macro or is written as _Pragma");
  const SourceLocation line = source_.line_begin(begin);
  const auto [file, offset] = source_.sources.getDecomposedLoc(begin);
  std::vector<Comment> comments;
  const std::size_t after = end_of_directive(source_.sources.getBufferData(file), offset, comments);
  std::string text;
  for (const Comment &comment : comments)
    text += source_.indentation_of_pragma(begin) + comment.text + "\n";
  add(CharSourceRange::getCharRange(line, begin.getLocWithOffset(static_cast<int>(after - offset))),
      text + lines, {});
}

void Construct::refuse(SourceLocation at, const llvm::Twine &reason) {
  if (is_refused_) return;
  is_refused_ = true;
  refused_at_ = at.isValid() ? at : begin_;
  reason_ = reason.str();
}

// With the comments that would go otherwise: what moves has its own with it.
std::string Construct::text_of(const Placed &edit) const {
  std::vector<Comment> lost;
  for (const Comment &comment : edit.comments)
    if (llvm::none_of(edits_, [&](const Placed &other) {
          return other.text.find(comment.text) != std::string::npos;
        }))
      lost.push_back(comment);
  const auto [file, begin] = source_.sources.getDecomposedLoc(edit.at);
  return with_comments(lost, edit.text, source_.sources.getBufferData(file), begin,
                       begin + edit.length);
}

void Construct::commit(const std::string &what) {
  const clang::SourceManager &sources = source_.sources;
  for (const Placed &edit : edits_)
    if (!is_refused_ && sources.getFileID(edit.at) != sources.getFileID(edits_.front().at))
      refuse(begin_, "it is spread over several files");
  const SourceLocation begin = sources.getExpansionLoc(begin_);
  const SourceLocation place = is_refused_ ? sources.getExpansionLoc(refused_at_) : begin;
  FileChanges &file = source_.changes.file(sources, sources.getFileID(place));
  Outcome outcome{sources.getFileOffset(place), {}, {}, {}, {}, needed_, kept_, {}, is_optional_};
  if (is_refused_) {
    outcome.note = file.note_at(outcome.begin, reason_);
  } else {
    for (const Placed &edit : edits_) {
      const Edit made{sources.getFileOffset(edit.at), edit.length, text_of(edit), edit.kind};
      // A macro may use its argument more than once.
      if (made.kind != Edit::kReplace || !llvm::is_contained(outcome.edits, made))
        outcome.edits.push_back(made);
    }
    outcome.headers = headers_;
    outcome.helpers = helpers_;
    outcome.renames = renames_;
  }
  const std::string key = source_.changes.file(sources, sources.getFileID(begin)).path + ":" +
                          std::to_string(sources.getFileOffset(begin)) + ":" + what;
  source_.changes.commit(key, file, std::move(outcome));
}

}  // namespace nopal::migrate
