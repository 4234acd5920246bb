// The new text of a file: its edits, comments, headers and helpers put together.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_NEW_TEXT_H
#define NOPAL_TOOLS_MIGRATE_NEW_TEXT_H

#include "changes.h"

namespace nopal::migrate {

/// The new text of a file, which knows what its parts come from.
class NewText {
 public:
  /// `has_comments`: says of each construct that stays why. Constructs whose edits overlap get
  /// notes.
  NewText(FileChanges &file, bool has_comments);

  const std::string &text() const { return text_; }
  FileChanges &file() { return file_; }
  /// The rewritten construct that a place of the new text belongs to; the innermost one if it
  /// stands in old text. Null if it is in none. Lines and columns count from 1.
  Outcome *outcome_at(unsigned line, unsigned column);
  /// Those that need the header or the helper at a place of the new text.
  std::vector<Outcome *> outcomes_needing(unsigned line, unsigned column);
  /// The place in the old text.
  unsigned old_offset(unsigned line, unsigned column) const;

 private:
  // An edit, and the outcome that has it; kAdded for comments, headers and helpers.
  struct Owned {
    Edit edit;
    int outcome;
  };
  // A part of the new text: what one edit writes, or old text (kOld).
  struct Piece {
    std::size_t begin;
    unsigned old_offset;
    int outcome;
  };
  static constexpr int kAdded = -1, kOld = -2;

  std::vector<Owned> edits_of_outcomes(bool has_comments) const;
  // False if two outcomes overlap, which then have notes.
  bool put_together(std::vector<Owned> edits);
  const Piece &piece_at(std::size_t offset) const;
  std::size_t offset_of(unsigned line, unsigned column) const;

  FileChanges &file_;
  std::string text_;
  std::vector<Piece> pieces_;
};

}  // namespace nopal::migrate

#endif
