//===- Keywords.cpp - Where the user wrote a Cilk keyword -----------------===//
//
// The pragma handlers and the tokens that they put in, the statement
// attributes, and the reading of a keyword back from the text at a location.
//
// The handlers are added for a compilation only, not for -E: a preprocessed
// file keeps the pragmas, and compiling it later gives the same program.
//
//===----------------------------------------------------------------------===//
#include "Keywords.h"
#include "../split/Target.h"
#include "Diagnostics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace nopal {
namespace {

constexpr std::pair<llvm::StringLiteral, Keyword> Words[] = {
    {"spawn", Keyword::Spawn},
    {"sync", Keyword::Sync},
    {"for", Keyword::For},
    {"scope", Keyword::Scope},
    {"grainsize", Keyword::Grain},
    {"cilk_grainsize", Keyword::Grain},
    {"_grainsize", Keyword::Grain}, // behind "cilk"
};
constexpr const char GrainWord[] = "#pragma cilk grainsize";

/// Reads `_Pragma("cilk WORD")` or `#pragma cilk WORD`.
Keyword decode(llvm::StringRef Text) {
  auto Take = [&Text](llvm::StringRef Token) {
    Text = Text.ltrim(" \t");
    return Text.consume_front(Token);
  };
  bool Operator = Take("_Pragma") && Take("(") && Take("\"");
  if (!Operator && !(Take("#") && Take("pragma")))
    return Keyword::None;
  if (!Take("cilk"))
    return Keyword::None;
  llvm::StringRef Word = Text.ltrim(" \t").take_while([](char C) { return isAsciiIdentifierContinue(C); });
  for (auto [Name, K] : Words)
    if (Word == Name)
      return K;
  return Keyword::None;
}

/// `#pragma cilk WORD ARGUMENT`: takes the pragma and what follows it from the
/// stream, and puts back what the parser is to see.
class KeywordHandler : public PragmaHandler {
public:
  KeywordHandler(llvm::StringRef Name, Keyword Word, KeywordTable &Keywords, Reporter &Report)
      : PragmaHandler(Name), Word(Word), Keywords(Keywords), Report(Report) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &First) override {
    // An inner _Pragma's lexer ends with the directive: what Lex then gives
    // is the next token of the program, with all its macros expanded.
    llvm::SmallVector<Token, 8> Argument;
    Token Next = First;
    for (PP.Lex(Next); Next.isNot(tok::eod) && Next.isNot(tok::eof); PP.Lex(Next))
      Argument.push_back(Next);
    if (Next.is(tok::eod))
      PP.Lex(Next);

    Loc = Introducer.Loc;
    if (Keywords.isFirst())
      checkTarget(PP);
    Tokens.clear();
    LineFlags = Next.getFlags() & (Token::StartOfLine | Token::LeadingSpace);
    if (Word == Keyword::Grain)
      injectGrain(PP, Argument, Next);
    else
      inject(PP, Next);
    Tokens.push_back(Next);
    auto Stream = std::make_unique<Token[]>(Tokens.size());
    std::copy(Tokens.begin(), Tokens.end(), Stream.get());
    PP.EnterTokenStream(std::move(Stream), Tokens.size(),
                        /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
  }

private:
  /// Of a program that has code for another device, too, the host's is compiled here.
  void checkTarget(Preprocessor &PP) {
    const LangOptions &Options = PP.getLangOpts();
    const llvm::Triple &Target = PP.getTargetInfo().getTriple();
    if (!Options.CUDAIsDevice && !Options.OpenMPIsTargetDevice && !isSupportedTarget(Target))
      Report.report(Diag::Target, Loc, Target.str());
  }

  void inject(Preprocessor &PP, const Token &Next) {
    switch (Word) {
    case Keyword::Spawn:
      if (Next.is(tok::semi)) // `cilk_spawn;` is nothing.
        return;
      Keywords.injected(Loc, Word);
      if (startsStatement(Next))
        return attribute(PP, "nopal_spawn");
      return extension(PP);
    case Keyword::Sync:
      Keywords.injected(Loc, Word);
      token(tok::l_paren);
      name(PP, tok::kw_void, "void");
      token(tok::r_paren);
      extension(PP);
      return zero();
    case Keyword::Scope:
      if (Next.isNot(tok::l_brace))
        return Report.report(Diag::ScopeBlock, Loc);
      Keywords.injected(Loc, Word);
      return attribute(PP, "nopal_scope");
    case Keyword::For:
      if (Next.isNot(tok::kw_for))
        return Report.report(Diag::LoopKeyword, Loc);
      Keywords.injected(Loc, Word);
      if (!PP.getLangOpts().CPlusPlus) {
        // In C, an attribute behind a label is the label's.
        name(PP, tok::kw_switch, "switch");
        token(tok::l_paren);
        zero();
        token(tok::r_paren);
        name(PP, tok::kw_default, "default");
        token(tok::colon);
      }
      return attribute(PP, "nopal_for");
    case Keyword::Grain:
    case Keyword::None:
      return;
    }
  }

  /// `switch (__extension__ (ARGUMENT)) default:` before a cilk_for: a place
  /// where an expression is evaluated, in every context, and that no `else` and
  /// no `break` behind it can be taken to belong to.
  void injectGrain(Preprocessor &PP, llvm::ArrayRef<Token> Argument, const Token &Next) {
    bool Parallel = Keywords.at(Next.getLocation()) == Keyword::For;
    if (!Argument.empty() && Argument.front().is(tok::equal))
      Argument = Argument.drop_front();
    if (Argument.empty()) {
      Report.report(Diag::GrainSyntax, Loc);
    } else if (Parallel) {
      Keywords.injected(Loc, Word);
      name(PP, tok::kw_switch, "switch");
      token(tok::l_paren);
      extension(PP);
      token(tok::l_paren);
      Tokens.append(Argument.begin(), Argument.end());
      token(tok::r_paren);
      token(tok::r_paren);
      name(PP, tok::kw_default, "default");
      token(tok::colon);
    } else if (Next.isNot(tok::kw_for)) {
      Report.report(Diag::GrainAlone, Loc);
    } else if (!PP.isMacroDefined("CILK_SERIAL")) {
      Report.report(Diag::GrainFor, Loc);
    }
  }

  /// Whether \p T begins a statement that is neither an expression nor a
  /// declaration.
  static bool startsStatement(const Token &T) {
    return T.isOneOf(tok::l_brace, tok::kw_if, tok::kw_for, tok::kw_while, tok::kw_do, tok::kw_switch, tok::kw_try,
                     tok::kw_return, tok::kw_goto, tok::kw_break, tok::kw_continue, tok::kw_throw, tok::kw___attribute);
  }

  Token &token(tok::TokenKind Kind) {
    Token T;
    T.startToken();
    T.setKind(Kind);
    T.setLocation(Loc);
    T.setLength(1);
    // The first token stands where the user's statement begins, or the
    // parser's warning about misleading indentation misfires.
    if (Tokens.empty())
      for (unsigned Flag : {Token::StartOfLine, Token::LeadingSpace})
        if (LineFlags & Flag)
          T.setFlag(Token::TokenFlags(Flag));
    Tokens.push_back(T);
    return Tokens.back();
  }

  void name(Preprocessor &PP, tok::TokenKind Kind, llvm::StringRef Spelling) {
    token(Kind).setIdentifierInfo(PP.getIdentifierInfo(Spelling));
  }

  void extension(Preprocessor &PP) { name(PP, tok::kw___extension__, "__extension__"); }

  void zero() {
    static const char Text[] = "0";
    token(tok::numeric_constant).setLiteralData(Text);
  }

  void attribute(Preprocessor &PP, llvm::StringRef Spelling) {
    name(PP, tok::kw___attribute, "__attribute__");
    token(tok::l_paren);
    token(tok::l_paren);
    name(PP, tok::identifier, Spelling);
    token(tok::r_paren);
    token(tok::r_paren);
  }

  const Keyword Word;
  KeywordTable &Keywords;
  Reporter &Report;
  SourceLocation Loc;
  unsigned LineFlags = 0;
  llvm::SmallVector<Token, 8> Tokens;
};

/// A statement attribute without arguments that stays in the AST as an
/// annotation. The header also asks for it to know that the plugin is there.
class StatementAttribute : public ParsedAttrInfo {
public:
  StatementAttribute(const char *Name, const char *Annotation)
      : Annotation(Annotation), Spellings_{{AttributeCommonInfo::AS_GNU, Name}} {
    IsStmt = true;
    Spellings = Spellings_;
  }

  bool diagAppertainsToDecl(Sema &, const ParsedAttr &, const Decl *) const override { return false; }

  AttrHandling handleStmtAttribute(Sema &S, Stmt *, const ParsedAttr &Parsed, Attr *&Result) const override {
    Result = AnnotateAttr::Create(S.Context, Annotation, nullptr, 0, Parsed);
    return AttributeApplied;
  }

private:
  const char *Annotation;
  Spelling Spellings_[1];
};

struct SpawnAttribute : StatementAttribute {
  SpawnAttribute() : StatementAttribute("nopal_spawn", SpawnAnnotation) {}
};
struct ScopeAttribute : StatementAttribute {
  ScopeAttribute() : StatementAttribute("nopal_scope", ScopeAnnotation) {}
};
struct LoopAttribute : StatementAttribute {
  LoopAttribute() : StatementAttribute("nopal_for", LoopAnnotation) {}
};

ParsedAttrInfoRegistry::Add<SpawnAttribute> RegisterSpawn("nopal_spawn", "the statement that follows is spawned");
ParsedAttrInfoRegistry::Add<ScopeAttribute> RegisterScope("nopal_scope", "the block that follows is a sync region");
ParsedAttrInfoRegistry::Add<LoopAttribute> RegisterLoop("nopal_for", "the loop that follows is parallel");

} // namespace

Keyword KeywordTable::at(SourceLocation Loc) {
  if (Loc.isInvalid())
    return Keyword::None;
  auto [It, New] = Decoded.try_emplace(Loc, Keyword::None);
  if (!New)
    return It->second;
  bool Invalid = false;
  const char *Text = SM.getCharacterData(SM.getSpellingLoc(Loc), &Invalid);
  if (!Invalid)
    It->second = decode(llvm::StringRef(Text).take_front(80));
  return It->second;
}

SourceLocation KeywordTable::userLocation(SourceLocation Loc) const {
  while (Loc.isMacroID()) {
    if (SM.isMacroArgExpansion(Loc)) {
      Loc = SM.getImmediateSpellingLoc(Loc);
      continue;
    }
    // Out of the macro that is the keyword, no further: what is left is the
    // user's token, perhaps inside of the user's macro.
    bool Ours = false;
    const char *Text = SM.getCharacterData(SM.getSpellingLoc(Loc), &Ours);
    if (Ours || !llvm::StringRef(Text).starts_with("_Pragma"))
      break;
    Loc = SM.getImmediateExpansionRange(Loc).getBegin();
  }
  return Loc;
}

std::string KeywordTable::spelling(SourceLocation Loc) {
  bool Invalid = false;
  const char *Text = SM.getCharacterData(SM.getSpellingLoc(userLocation(Loc)), &Invalid);
  if (!Invalid) {
    llvm::StringRef Word = llvm::StringRef(Text).take_while([](char C) { return isAsciiIdentifierContinue(C); });
    if (Word.starts_with("cilk_") || Word.starts_with("_Cilk_"))
      return Word.str();
  }
  if (at(Loc) == Keyword::Grain)
    return GrainWord;
  for (auto [Name, K] : Words)
    if (K == at(Loc))
      return ("cilk_" + Name).str();
  return "cilk_spawn";
}

void addPragmaHandlers(Preprocessor &PP, KeywordTable &Keywords, Reporter &Report) {
  for (auto [Name, K] : Words)
    if (Name != "_grainsize")
      PP.AddPragmaHandler("cilk", new KeywordHandler(Name, K, Keywords, Report));
  PP.AddPragmaHandler(new KeywordHandler("cilk_grainsize", Keyword::Grain, Keywords, Report));
}

} // namespace nopal
