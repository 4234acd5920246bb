// What the preprocessor's directives say: includes, and code that depends on _OPENMP.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NOPAL_TOOLS_MIGRATE_DIRECTIVES_H
#define NOPAL_TOOLS_MIGRATE_DIRECTIVES_H

#include "changes.h"

#include "clang/Lex/PPCallbacks.h"

#include <map>
#include <vector>

namespace nopal::migrate {

/// Notes the includes of each file and which of them an #if surrounds, and where the program asks
/// for OpenMP: the new program has _OPENMP only if something stays.
class Directives : public clang::PPCallbacks {
 public:
  Directives(const clang::SourceManager &sources, Changes &changes)
      : sources_(sources), changes_(changes) {}

  /// Takes conditions away that surround pragmas alone, and says of others that they stay.
  void rewrite(Source &source, bool (*is_users)(const Source &, clang::SourceLocation));

  void InclusionDirective(clang::SourceLocation hash, const clang::Token &, llvm::StringRef name,
                          bool, clang::CharSourceRange, clang::OptionalFileEntryRef,
                          llvm::StringRef, llvm::StringRef, const clang::Module *, bool,
                          clang::SrcMgr::CharacteristicKind) override;
  void If(clang::SourceLocation at, clang::SourceRange condition, ConditionValueKind) override;
  void Ifdef(clang::SourceLocation at, const clang::Token &name,
             const clang::MacroDefinition &) override;
  void Ifndef(clang::SourceLocation at, const clang::Token &name,
              const clang::MacroDefinition &) override;
  void Elif(clang::SourceLocation at, clang::SourceRange, ConditionValueKind,
            clang::SourceLocation at_if) override;
  void Elifdef(clang::SourceLocation at, const clang::Token &,
               const clang::MacroDefinition &) override;
  void Elifdef(clang::SourceLocation at, clang::SourceRange, clang::SourceLocation at_if) override;
  void Elifndef(clang::SourceLocation at, const clang::Token &,
                const clang::MacroDefinition &) override;
  void Elifndef(clang::SourceLocation at, clang::SourceRange, clang::SourceLocation at_if) override;
  void Else(clang::SourceLocation at, clang::SourceLocation at_if) override;
  void Endif(clang::SourceLocation at, clang::SourceLocation at_if) override;
  void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange,
                    const clang::MacroArgs *) override;

 private:
  struct State {
    int depth = 0, count = 0;
    clang::SourceLocation
        guard;  // the #ifndef that the file begins with, which may guard all of it
    std::vector<unsigned> guarded;                // the ends of includes under it alone
    std::vector<std::vector<unsigned>> branches;  // of each open #if: where they begin
  };
  // An #if that asks whether there is OpenMP.
  struct Condition {
    clang::SourceLocation at, at_else, end;
    bool is_plain;  // nothing but that
  };
  void open(clang::SourceLocation at);
  void begin_branch(clang::SourceLocation at);
  void end_branches(clang::SourceLocation at, bool is_removed);
  void found(clang::SourceLocation at, bool is_plain);
  void other_branch(clang::SourceLocation at, clang::SourceLocation at_if);
  llvm::StringRef text_between(clang::SourceLocation from, clang::SourceLocation to) const;
  clang::SourceLocation next_line(clang::SourceLocation at) const;
  bool changes_nothing(const Condition &condition, bool &has_pragma) const;

  const clang::SourceManager &sources_;
  Changes &changes_;
  std::map<clang::FileID, State> states_;
  std::vector<Condition> conditions_;
  std::vector<clang::SourceLocation> values_;  // where _OPENMP is a number
};

}  // namespace nopal::migrate

#endif
