//===- Preprocessed.cpp - Pragmas in a preprocessed file ------------------===//
//
// A preprocessed file keeps the pragmas of Cilk, with the macros in a grain
// expanded: their definitions are not in the file. Clang's registry gives these
// handlers to every preprocessor, also under -E, where no plugin action runs. In
// a compilation Keywords.cpp adds its own handlers to them.
//
// Tested by tests/diagnostics/ir/grain-preprocessed.cpp.
//
//===----------------------------------------------------------------------===//
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace nopal::frontend {
namespace {

/// Clang has no function for this: the handlers of all pragmas.
std::unique_ptr<PragmaNamespace> &handlersOf(Preprocessor &PP);
template <std::unique_ptr<PragmaNamespace> Preprocessor::*Member> struct OpenHandlers {
  friend std::unique_ptr<PragmaNamespace> &handlersOf(Preprocessor &PP) { return PP.*Member; }
};
template struct OpenHandlers<&Preprocessor::PragmaHandlers>;

/// The handlers of `#pragma NAME ...`; none of them under -E.
class Pragmas : public PragmaNamespace {
public:
  /// \p IsGrain: NAME is the whole name of a grain pragma.
  Pragmas(llvm::StringRef Name, bool IsGrain) : PragmaNamespace(Name), IsGrain(IsGrain) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &First) override {
    if (IsEmpty())
      return print(PP, Introducer, First);
    if (IsGrain)
      return FindHandler("", /*IgnoreNull=*/false)->HandlePragma(PP, Introducer, First);
    PragmaNamespace::HandlePragma(PP, Introducer, First);
  }

private:
  /// The handler of unknown pragmas, the printer under -E, reads the tokens of this
  /// one with the macros of a grain expanded.
  void print(Preprocessor &PP, PragmaIntroducer Introducer, Token &First) {
    llvm::SmallVector<Token, 8> Tokens;
    bool IsExpanded = IsGrain;
    for (Token T = First; T.isNot(tok::eod); Tokens.push_back(T)) {
      if (IsExpanded)
        PP.Lex(T);
      else
        PP.LexUnexpandedToken(T);
      if (Tokens.empty() && T.getIdentifierInfo())
        IsExpanded |= T.getIdentifierInfo()->getName().ends_with("grainsize");
    }
    PragmaHandler *Unknown = handlersOf(PP)->FindHandler("", /*IgnoreNull=*/false);
    if (!Unknown)
      return;
    auto Stream = std::make_unique<Token[]>(Tokens.size());
    std::copy(Tokens.begin(), Tokens.end(), Stream.get());
    PP.EnterTokenStream(std::move(Stream), Tokens.size(), /*DisableMacroExpansion=*/true,
                        /*IsReinject=*/false);
    Unknown->HandlePragma(PP, Introducer, First);
  }

  const bool IsGrain;
};

struct CilkPragmas : Pragmas {
  CilkPragmas() : Pragmas("cilk", /*IsGrain=*/false) {}
};
struct GrainPragmas : Pragmas {
  GrainPragmas() : Pragmas("cilk_grainsize", /*IsGrain=*/true) {}
};

PragmaHandlerRegistry::Add<CilkPragmas> Cilk("cilk", "the keywords of Cilk");
PragmaHandlerRegistry::Add<GrainPragmas> Grain("cilk_grainsize", "the grain of a cilk_for");

} // namespace
} // namespace nopal::frontend
