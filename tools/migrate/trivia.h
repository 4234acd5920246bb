// What a piece of a file's text holds beside its tokens: comments and directives.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_TRIVIA_H
#define NOPAL_TOOLS_MIGRATE_TRIVIA_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace nopal::migrate {

struct Comment {
  std::string text;
  bool begins_line, ends_line;  // nothing but space before it; the line ends with it
};

/// Between two offsets of a file.
struct Trivia {
  std::vector<Comment> comments;
  bool has_directive = false;
};
Trivia trivia_of(llvm::StringRef file, std::size_t begin, std::size_t end);

/// The offset after the line of a directive, which may be continued; and its comments.
std::size_t end_of_directive(llvm::StringRef file, std::size_t hash,
                             std::vector<Comment> &comments);

/// The begin of the line that `offset` is on; of an earlier one if that is inside a token.
std::size_t line_outside_tokens(llvm::StringRef file, std::size_t offset);

/// `text` in place of the file's from `begin` to `end`, with comments of that before it.
std::string with_comments(const std::vector<Comment> &comments, llvm::StringRef text,
                          llvm::StringRef file, std::size_t begin, std::size_t end);

/// A byte order mark at the beginning.
std::size_t length_of_mark(llvm::StringRef file);

}  // namespace nopal::migrate

#endif
