//===- MissingHeader.cpp - Keywords without <cilk/cilk.h> -----------------===//
//
// Without the header the keywords are names that nobody has declared. Clang says so, and
// that is no help for one who does not know that they come from a header.
//
//===----------------------------------------------------------------------===//
#include "Keywords.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace nopal::frontend {
namespace {

constexpr llvm::StringRef Keywords[] = {"cilk_spawn", "cilk_sync",   "cilk_for",
                                        "cilk_scope", "_Cilk_spawn", "_Cilk_sync",
                                        "_Cilk_for",  "_Cilk_scope", "cilk_reducer"};

/// Whether the parser saw \p Name, and saw no macro.
bool isPlainName(Preprocessor &PP, llvm::StringRef Name) {
  const IdentifierTable &Known = PP.getIdentifierTable();
  auto It = Known.find(Name);
  return It != Known.end() && !It->second->hadMacroDefinition();
}

} // namespace

SourceLocation keywordWithoutHeader(Preprocessor &PP) {
  if (llvm::none_of(Keywords, [&PP](llvm::StringRef Name) { return isPlainName(PP, Name); }))
    return {};
  const SourceManager &SM = PP.getSourceManager();
  std::optional<llvm::MemoryBufferRef> Buffer = SM.getBufferOrNone(SM.getMainFileID());
  if (!Buffer)
    return {};
  Lexer Raw(SM.getMainFileID(), *Buffer, SM, PP.getLangOpts());
  for (Token T; !Raw.LexFromRawLexer(T);)
    if (T.is(tok::raw_identifier) && llvm::is_contained(Keywords, T.getRawIdentifier()) &&
        isPlainName(PP, T.getRawIdentifier()))
      return T.getLocation();
  return {};
}

} // namespace nopal::frontend
