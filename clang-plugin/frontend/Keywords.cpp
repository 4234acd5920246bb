//===- Keywords.cpp - Where the user wrote a Cilk keyword -----------------===//
//
// The pragma handlers and the tokens that they put in, the statement
// attributes, and the reading of a keyword back from the text at a location.
//
// The handlers are added for a compilation only, not for -E (Preprocessed.cpp): a
// preprocessed file keeps the pragmas, and compiling it later gives the same program.
//
//===----------------------------------------------------------------------===//
#include "Keywords.h"
#include "../compatibility/Compatibility.h"
#include "../contract/Target.h"
#include "Diagnostics.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/CharInfo.h"
#include "clang/Basic/DiagnosticParse.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Pragma.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace nopal::frontend {
namespace {

constexpr std::pair<llvm::StringLiteral, Keyword> Words[] = {
    {"spawn", Keyword::Spawn},      {"sync", Keyword::Sync},
    {"for", Keyword::For},          {"scope", Keyword::Scope},
    {"grainsize", Keyword::Grain},  {"cilk_grainsize", Keyword::Grain},
    {"_grainsize", Keyword::Grain}, // after "cilk"
    {"reducer", Keyword::Reducer},
};
constexpr const char GrainWord[] = "#pragma cilk grainsize";

/// Reads `_Pragma("cilk WORD")` or `#pragma cilk WORD`.
Keyword decode(llvm::StringRef Text) {
  auto Take = [&Text](llvm::StringRef Token) {
    Text = Text.ltrim(" \t");
    return Text.consume_front(Token);
  };
  bool Operator =
      Text.ltrim(" \t").starts_with("_") && (Take("_Pragma") || Take("__pragma")) && Take("(");
  if (Operator)
    Take("\"");
  else if (!(Take("#") && Take("pragma")))
    return Keyword::None;
  if (!Take("cilk"))
    return Keyword::None;
  llvm::StringRef Word =
      Text.ltrim(" \t").take_while([](char C) { return isAsciiIdentifierContinue(C); });
  for (auto [Name, K] : Words)
    if (Word == Name)
      return K;
  return Keyword::None;
}

/// `#pragma cilk WORD ARGUMENT`: takes the pragma and what follows it from the
/// stream, and puts back what the parser is to see.
class KeywordHandler : public PragmaHandler {
public:
  /// The pragma is `#pragma NAMESPACE NAME`; \p Namespace ends with a blank, or
  /// \p Name is empty.
  KeywordHandler(llvm::StringRef Namespace, llvm::StringRef Name, Keyword Word, bool IsPreprocessed,
                 KeywordTable &Keywords, Reporter &Report)
      : PragmaHandler(Name), Pragma((Namespace + Name).str()), Word(Word),
        IsPreprocessed(IsPreprocessed), Keywords(Keywords), Report(Report) {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer Introducer, Token &First) override {
    llvm::SmallVector<Token, 8> Argument;
    Token Next = First;
    for (PP.Lex(Next); Next.isNot(tok::eod) && Next.isNot(tok::eof); PP.Lex(Next))
      Argument.push_back(Next);
    if (Word != Keyword::Grain && !Argument.empty())
      PP.Diag(Argument.front(), diag::warn_pragma_extra_tokens_at_eol) << Pragma;

    // In a preprocessed file there are neither operators nor included files.
    bool IsLast = false;
    if (Introducer.Kind != PIK__Pragma) {
      if (!IsPreprocessed)
        return defer(PP, Introducer.Loc, std::move(Argument));
      IsLast = isLast(PP, Introducer.Loc);
    } else if (auto It = Deferred.find(Introducer.Loc); It != Deferred.end()) {
      Argument = It->second;
    }

    // An inner _Pragma's lexer ends with the directive: what Lex then gives
    // is the next token of the program, with all its macros expanded.
    if (IsLast)
      Next.setKind(tok::eof);
    else if (Next.is(tok::eod))
      PP.Lex(Next);

    Loc = Introducer.Loc;
    if (Keywords.isFirst())
      checkTarget(PP);
    Tokens.clear();
    LineFlags = Next.getFlags() & (Token::StartOfLine | Token::LeadingSpace);
    if (Word == Keyword::Grain) {
      // The hints of a `#pragma clang loop` may stand between.
      llvm::SmallVector<Token, 1> Hints;
      for (; Next.is(tok::annot_pragma_loop_hint); PP.Lex(Next))
        Hints.push_back(Next);
      injectGrain(PP, Argument, Next);
      Tokens.append(Hints);
    } else if (Word == Keyword::Reducer) {
      injectAnnotation(PP, Next);
    } else {
      inject(PP, Next);
    }
    if (!IsLast)
      Tokens.push_back(Next);
    if (!Tokens.empty())
      enter(PP, /*DisableMacroExpansion=*/true);
  }

private:
  /// Whether nothing but directives follows the one at \p Hash in its file.
  static bool isLast(Preprocessor &PP, SourceLocation Hash) {
    const SourceManager &SM = PP.getSourceManager();
    auto [File, Offset] = SM.getDecomposedLoc(Hash);
    llvm::StringRef Text = SM.getBufferData(File);
    Lexer Raw(SM.getLocForStartOfFile(File), PP.getLangOpts(), Text.begin(), Text.begin() + Offset,
              Text.end());
    Token T;
    bool InDirective = true;
    while (InDirective) {
      Raw.LexFromRawLexer(T);
      if (T.is(tok::eof))
        return true;
      if (T.isAtStartOfLine())
        InDirective = T.is(tok::hash);
    }
    return false;
  }

  void enter(Preprocessor &PP, bool DisableMacroExpansion) {
    auto Stream = std::make_unique<Token[]>(Tokens.size());
    std::copy(Tokens.begin(), Tokens.end(), Stream.get());
    PP.EnterTokenStream(std::move(Stream), Tokens.size(), DisableMacroExpansion,
                        /*IsReinject=*/true);
  }

  /// A directive is read by the lexer of its file, which may be gone when the
  /// next token is known. So `#pragma cilk WORD` becomes `_Pragma("cilk WORD")`
  /// at the same place, which is read when the parser asks for the next token.
  void defer(Preprocessor &PP, SourceLocation Hash, llvm::SmallVector<Token, 8> Argument) {
    Deferred[Hash] = std::move(Argument);
    Loc = Hash;
    LineFlags = 0;
    Tokens.clear();
    words(PP, "_Pragma (");
    PP.CreateString("\"" + Pragma + "\"", token(tok::string_literal), Hash, Hash);
    words(PP, ")");
    enter(PP, /*DisableMacroExpansion=*/false);
  }

  /// Of a program that has code for another device, too, the host's is compiled here.
  void checkTarget(Preprocessor &PP) {
    const LangOptions &Options = PP.getLangOpts();
    const llvm::Triple &Target = PP.getTargetInfo().getTriple();
    if (!Options.CUDAIsDevice && !Options.OpenMPIsTargetDevice && !isSupportedTarget(Target))
      Report.report(Diag::Target, Loc, Target.str());
  }

  void inject(Preprocessor &PP, Token &Next) {
    switch (Word) {
    case Keyword::Spawn:
      if (Next.is(tok::semi))
        return Report.report(Diag::SpawnNothing, Loc);
      Keywords.injected(Loc, Word);
      return startsStatement(Next) ? injectAttribute(PP, Next, SpawnAnnotation)
                                   : words(PP, "__extension__");
    case Keyword::Sync:
      Keywords.injected(Loc, Word);
      if (Next.is(tok::l_paren)) {
        Report.report(Diag::SyncCall, Loc);
        PP.Lex(Next);
        if (Next.is(tok::r_paren))
          PP.Lex(Next);
      }
      return words(PP, "( void ) __extension__ 0");
    case Keyword::Scope:
      if (Next.isNot(tok::l_brace))
        return Report.report(Diag::ScopeBlock, Loc);
      Keywords.injected(Loc, Word);
      return injectAttribute(PP, Next, ScopeAnnotation);
    case Keyword::For:
      if (Next.isNot(tok::kw_for))
        return Report.report(Diag::LoopKeyword, Loc);
      Keywords.injected(Loc, Word);
      Next.setLocation(Loc);
      return;
    case Keyword::Grain:
    case Keyword::Reducer:
    case Keyword::None:
      return;
    }
  }

  /// `__attribute__((suppress("TEXT")))`, which stays in the AST and means something to Clang's
  /// static analyzer alone. (Clang 19 has no annotate of a statement.) In C
  /// `[[clang::suppress("TEXT")]]`: after a label the other would be the label's.
  void injectAttribute(Preprocessor &PP, const Token &Next, const char *Text) {
    const bool Brackets = !PP.getLangOpts().CPlusPlus;
    if (Brackets)
      allowAttribute(PP, Next.getLocation());
    words(PP, Brackets ? "[ [ clang :: suppress (" : "__attribute__ ( ( suppress (");
    PP.CreateString((llvm::Twine("\"") + Text + "\"").str(), token(tok::string_literal), Loc, Loc);
    words(PP, Brackets ? ") ] ]" : ") ) )");
  }

  /// `cilk_reducer(ARGUMENTS)` becomes `[[clang::annotate_type("nopal.hyper", ARGUMENTS)]]`.
  /// The parentheses may be missing. What does not end is left to the parser. The attribute takes
  /// constants, and `__builtin_constant_p(ARGUMENT)` is one always: so Clang does not refuse a
  /// callback in words about the attribute, and HyperCallbacks.cpp does.
  void injectAnnotation(Preprocessor &PP, Token &Next) {
    llvm::SmallVector<Token, 16> Arguments;
    if (Next.is(tok::l_paren)) {
      unsigned Depth = 1;
      for (PP.Lex(Next); Next.isNot(tok::eof); PP.Lex(Next)) {
        Depth += Next.is(tok::l_paren);
        Depth -= Next.is(tok::r_paren);
        if (Depth == 0)
          break;
        Arguments.push_back(Next);
      }
      if (Next.is(tok::r_paren))
        PP.Lex(Next);
    }
    Keywords.injected(Loc, Word);
    allowAttribute(PP, Next.getLocation());
    std::string Text;
    for (const Token &T : Arguments)
      Text += PP.getSpelling(T) + " ";
    const unsigned Number = Texts.try_emplace(Text, Texts.size()).first->second;
    for (unsigned I = 0; I < compat::annotationsBefore(Number); ++I) {
      words(PP, "[ [ clang :: annotate_type (");
      PP.CreateString("\"\"", token(tok::string_literal), Loc, Loc);
      words(PP, ") ] ]");
    }
    words(PP, "[ [ clang :: annotate_type (");
    PP.CreateString((llvm::Twine("\"") + HyperAnnotation + "\"").str(), token(tok::string_literal),
                    Loc, Loc);
    if (!Arguments.empty())
      words(PP, ",");
    auto Parts = split(Arguments);
    if (llvm::any_of(Parts, [](llvm::ArrayRef<Token> P) { return P.empty(); })) {
      Tokens.append(Arguments); // an error
    } else {
      for (size_t I = 0; I < Parts.size(); ++I) {
        words(PP, I == 0 ? "__builtin_constant_p (" : ", __builtin_constant_p (");
        if (PP.getLangOpts().CPlusPlus)
          words(PP, before(I, Parts.size()));
        Tokens.append(Parts[I].begin(), Parts[I].end());
        words(PP, PP.getLangOpts().CPlusPlus ? ") )" : ")");
      }
    }
    words(PP, ") ] ]");
  }

  /// In C++, what stands before an argument of cilk_reducer, up to its parenthesis.
  static const char *before(size_t Index, size_t Count) {
    if (Count == 2) // of several overloads the one that fits
      return Index == 0 ? "static_cast < void ( * ) ( void * ) > ("
                        : "static_cast < void ( * ) ( void * , void * ) > (";
    return Count == 1 ? "& (" : "("; // one is an object
  }

  /// The brackets of an attribute are ours, and no extension that the user takes before C23. \p End
  /// is what follows it.
  void allowAttribute(Preprocessor &PP, SourceLocation End) {
    DiagnosticsEngine &Engine = PP.getDiagnostics();
    Engine.pushMappings(Loc);
    for (diag::kind ID : {diag::warn_ext_c23_attributes, diag::warn_pre_c23_compat_attributes})
      Engine.setSeverity(ID, diag::Severity::Ignored, Loc);
    Engine.popMappings(End);
  }

  /// The arguments of a list, which commas separate. What follows a name and a `<` is taken for
  /// arguments of a template.
  static llvm::SmallVector<llvm::ArrayRef<Token>, 2> split(llvm::ArrayRef<Token> List) {
    llvm::SmallVector<llvm::ArrayRef<Token>, 2> Parts;
    int Depth = 0, Angles = 0;
    size_t Begin = 0;
    for (size_t I = 0; I < List.size(); ++I) {
      const Token &T = List[I];
      Depth += T.isOneOf(tok::l_paren, tok::l_square, tok::l_brace);
      Depth -= T.isOneOf(tok::r_paren, tok::r_square, tok::r_brace);
      Angles += T.is(tok::less) && I > 0 && List[I - 1].is(tok::identifier);
      Angles -= Angles > 0 && T.isOneOf(tok::greater, tok::greatergreater);
      Angles -= Angles > 0 && T.is(tok::greatergreater);
      if (T.is(tok::comma) && Depth == 0 && Angles == 0) {
        Parts.push_back(List.slice(Begin, I - Begin));
        Begin = I + 1;
      }
    }
    if (!List.empty())
      Parts.push_back(List.drop_front(Begin));
    return Parts;
  }

  /// `for ((void)__extension__ + (ARGUMENT); __builtin_readcyclecounter();)` before
  /// a cilk_for: a place where an expression is evaluated, in every context, and
  /// to which no `else` after it can belong. The hints of a `#pragma clang loop`
  /// may stand before it. The plus converts a class to a number. Of the condition,
  /// which is never evaluated, Clang knows nothing.
  void injectGrain(Preprocessor &PP, llvm::ArrayRef<Token> Argument, const Token &Next) {
    Keyword Before = Keywords.at(Next.getLocation());
    if (!Argument.empty() && Argument.front().is(tok::equal))
      Argument = Argument.drop_front();
    if (Argument.empty()) {
      Report.report(Diag::GrainSyntax, Loc);
    } else if (Before == Keyword::For) {
      Keywords.injected(Loc, Word);
      words(PP, "for ( ( void ) __extension__ + (");
      Tokens.append(Argument.begin(), Argument.end());
      words(PP, ") ; __builtin_readcyclecounter ( ) ; )");
    } else if (Next.isNot(tok::kw_for) || Before == Keyword::Grain) {
      Report.report(Diag::GrainAlone, Loc);
    } else if (!PP.isMacroDefined("CILK_SERIAL")) {
      Report.report(Diag::GrainFor, Loc);
    }
  }

  /// Whether \p T begins a statement that is neither an expression nor a
  /// declaration.
  static bool startsStatement(const Token &T) {
    return T.isOneOf(tok::l_brace, tok::kw_if, tok::kw_for, tok::kw_while, tok::kw_do,
                     tok::kw_switch, tok::kw_try, tok::kw_return, tok::kw_goto, tok::kw_break,
                     tok::kw_continue, tok::kw_throw, tok::kw___attribute);
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

  /// Puts in the tokens of \p Text, with blanks between them: words, 0 and punctuation.
  void words(Preprocessor &PP, const char *Text) {
    for (llvm::StringRef Word : llvm::split(Text, ' ')) {
      if (isAsciiIdentifierStart(Word.front())) {
        IdentifierInfo *II = PP.getIdentifierInfo(Word);
        token(II->getTokenID()).setIdentifierInfo(II);
      } else if (Word == "0") {
        token(tok::numeric_constant).setLiteralData(Word.data());
      } else {
        token(llvm::StringSwitch<tok::TokenKind>(Word)
                  .Case("(", tok::l_paren)
                  .Case(")", tok::r_paren)
                  .Case("+", tok::plus)
                  .Case("*", tok::star)
                  .Case("&", tok::amp)
                  .Case("<", tok::less)
                  .Case(">", tok::greater)
                  .Case("[", tok::l_square)
                  .Case("]", tok::r_square)
                  .Case("::", tok::coloncolon)
                  .Case(",", tok::comma)
                  .Case(";", tok::semi));
      }
    }
  }

  const std::string Pragma;
  const Keyword Word;
  const bool IsPreprocessed;
  KeywordTable &Keywords;
  Reporter &Report;
  SourceLocation Loc;
  unsigned LineFlags = 0;
  llvm::SmallVector<Token, 8> Tokens;
  /// The arguments of directives, by the place of the directive.
  llvm::DenseMap<SourceLocation, llvm::SmallVector<Token, 8>> Deferred;
  llvm::StringMap<unsigned> Texts; ///< the arguments of cilk_reducer, in their order
};

/// A name for the headers' __has_attribute, which asks whether the plugin is there.
struct SpawnAttribute : ParsedAttrInfo {
  SpawnAttribute() {
    static constexpr Spelling Names[] = {{AttributeCommonInfo::AS_GNU, "nopal_spawn"}};
    IsStmt = true;
    Spellings = Names;
  }
};

ParsedAttrInfoRegistry::Add<SpawnAttribute> RegisterSpawn("nopal_spawn", "the plugin is there");

/// In <cilk/keywords.h>: takes the assertion that follows, at which a compiler without the plugin
/// stops.
class AssertionHandler : public PragmaHandler {
public:
  AssertionHandler() : PragmaHandler("needs_nopal_clang") {}

  void HandlePragma(Preprocessor &PP, PragmaIntroducer, Token &First) override {
    for (Token Next = First; Next.isNot(tok::semi) && Next.isNot(tok::eof);)
      PP.Lex(Next);
  }
};

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
    llvm::StringRef Word =
        llvm::StringRef(Text).take_while([](char C) { return isAsciiIdentifierContinue(C); });
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

SourceLocation writtenPart(const Stmt *E, SourceLocation Loc) {
  if (E->getBeginLoc() != Loc)
    return E->getBeginLoc();
  for (const Stmt *Child : E->children())
    if (SourceLocation Part = Child ? writtenPart(Child, Loc) : Loc; Part != Loc)
      return Part;
  return Loc;
}

void addPragmaHandlers(Preprocessor &PP, bool IsPreprocessed, KeywordTable &Keywords,
                       Reporter &Report) {
  for (auto [Name, K] : Words)
    if (Name != "_grainsize")
      PP.AddPragmaHandler("cilk",
                          new KeywordHandler("cilk ", Name, K, IsPreprocessed, Keywords, Report));
  PP.AddPragmaHandler("cilk", new AssertionHandler);
  PP.AddPragmaHandler("cilk_grainsize", new KeywordHandler("cilk_grainsize", "", Keyword::Grain,
                                                           IsPreprocessed, Keywords, Report));
}

} // namespace nopal::frontend
