// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cilk_plus.h"

#include "uses.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

#include <optional>

namespace nopal::migrate {

using llvm::dyn_cast;
using llvm::isa;

void rewrite_keywords(Source &source, clang::FileID file) {
  const llvm::StringRef text = source.sources.getBufferData(file);
  const clang::SourceLocation begin = source.sources.getLocForStartOfFile(file);
  static const std::map<llvm::StringRef, llvm::StringRef> kKeywords{{"_Cilk_spawn", "cilk_spawn"},
                                                                    {"_Cilk_sync", "cilk_sync"},
                                                                    {"_Cilk_for", "cilk_for"},
                                                                    {"_Cilk_scope", "cilk_scope"}};
  Construct unit(source, begin);
  clang::Lexer lexer(begin, source.context.getLangOpts(), text.begin(), text.begin(), text.end());
  clang::Token token;
  bool has_any = false;
  while (!lexer.LexFromRawLexer(token)) {
    if (token.isNot(clang::tok::raw_identifier)) continue;
    auto keyword = kKeywords.find(token.getRawIdentifier());
    if (keyword == kKeywords.end()) continue;
    unit.replace(clang::CharSourceRange::getCharRange(token.getLocation(), token.getEndLoc()),
                 keyword->second);
    has_any = true;
  }
  if (!has_any) return;
  unit.need("<cilk/cilk.h>");
  unit.commit("keywords");
}

namespace {

/// One kind of reducer: what its type becomes, and the header that it came from.
struct Kind {
  const char *value, *operation;  // with %T for the first template argument
};

const std::map<llvm::StringRef, Kind> &kinds() {
  static const std::map<llvm::StringRef, Kind> rows{
      {"add", {"%T", "std::plus<>"}},
      {"mul", {"%T", "std::multiplies<>"}},
      {"and", {"%T", "std::bit_and<>"}},
      {"or", {"%T", "std::bit_or<>"}},
      {"xor", {"%T", "std::bit_xor<>"}},
      {"min", {"%T", "cilk::minimum"}},
      {"max", {"%T", "cilk::maximum"}},
      {"list_append", {"std::list<%T>", "cilk::append"}},
      {"list_prepend", {"std::list<%T>", "cilk::prepend"}},
      {"vector", {"std::vector<%T>", "cilk::append"}},
      {"string", {"std::string", "cilk::append"}},
      {"wstring", {"std::wstring", "cilk::append"}},
      {"basic_string", {"std::basic_string<%T>", "cilk::append"}}};
  return rows;
}

// "add" of op_add, and of reducer_opadd; empty for other names.
llvm::StringRef kind_of(llvm::StringRef name) {
  if (name.consume_front("op_")) return name;
  if (!name.consume_front("reducer_")) return "";
  name.consume_front("op");
  return name;
}

/// The reducers of a translation unit: each kind has a Construct, made when it is first met.
class Reducers : public clang::RecursiveASTVisitor<Reducers> {
 public:
  Reducers(Source &source, bool (*is_users)(const Source &, clang::SourceLocation))
      : source_(source), is_users_(is_users) {}

  bool shouldVisitTemplateInstantiations() const { return false; }

  bool TraverseDecl(clang::Decl *declaration) {
    if (source_.is_systems(declaration)) return true;
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }

  bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc type) {
    if (!is_users_(source_, type.getBeginLoc())) return true;
    const clang::TemplateDecl *pattern = type.getTypePtr()->getTemplateName().getAsTemplateDecl();
    if (pattern == nullptr || !is_of_library(pattern->getTemplatedDecl())) return true;
    const llvm::StringRef name = pattern->getName();
    if (name == "holder")
      unit("holder", type.getBeginLoc())
          .refuse(type.getBeginLoc(),
                  "a holder stays Cilk Plus': compile with -fcilkplus, or make it a cilk::scratch");
    // What code does with a dependent type is not known.
    if (type.getType()->isDependentType()) return refuse_template(type), true;
    if (name == "reducer" && type.getNumArgs() == 1) {
      // reducer<op_add<T>>
      const clang::TypeSourceInfo *inner = type.getArgLoc(0).getTypeSourceInfo();
      if (inner == nullptr) return true;
      auto monoid =
          inner->getTypeLoc().getUnqualifiedLoc().getAs<clang::TemplateSpecializationTypeLoc>();
      std::string kind;
      std::string argument;
      if (monoid) {
        const clang::TemplateDecl *op = monoid.getTypePtr()->getTemplateName().getAsTemplateDecl();
        if (op == nullptr || !is_of_library(op->getTemplatedDecl())) return true;
        kind = kind_of(op->getName()).str();
        if (monoid.getNumArgs() != 1) return refuse(kind, type.getBeginLoc(), "a comparator"), true;
        argument = source_.text(monoid.getArgLoc(0).getSourceRange());
      } else {
        llvm::StringRef text = last_name(source_.text(inner->getTypeLoc().getSourceRange()));
        kind = kind_of(text).str();
      }
      replace_type(kind, type, argument);
    } else if (name.starts_with("reducer_")) {
      if (type.getNumArgs() != 1)
        return refuse(kind_of(name).str(), type.getBeginLoc(), "a comparator"), true;
      replace_type(kind_of(name).str(), type, source_.text(type.getArgLoc(0).getSourceRange()));
    }
    return true;
  }

  // cilk::move_in as an initializer is std::move.
  bool VisitVarDecl(clang::VarDecl *variable) {
    const auto found = reducer_of(variable->getType());
    if (!found || kinds().count(found->first) == 0 || variable->getInit() == nullptr) return true;
    auto *made =
        dyn_cast<clang::CXXConstructExpr>(variable->getInit()->IgnoreUnlessSpelledInSource());
    if (made == nullptr || !is_users_(source_, variable->getLocation())) return true;
    for (const clang::Expr *argument : made->arguments()) {
      auto *call = dyn_cast<clang::CallExpr>(argument->IgnoreUnlessSpelledInSource());
      const clang::FunctionDecl *callee = call == nullptr ? nullptr : call->getDirectCallee();
      if (callee != nullptr && callee->getIdentifier() != nullptr && is_of_library(callee) &&
          callee->getName() == "move_in")
        unit(found->first, variable->getLocation())
            .replace(call->getCallee()->getSourceRange(), "std::move");
    }
    return true;
  }

  // Each use of a reducer must be one that both libraries have.
  bool VisitDeclRefExpr(clang::DeclRefExpr *reference) {
    use(reference, reference->getType());
    return true;
  }
  bool VisitMemberExpr(clang::MemberExpr *member) {
    if (isa<clang::FieldDecl>(member->getMemberDecl())) use(member, member->getType());
    return true;
  }
  bool VisitUnaryOperator(clang::UnaryOperator *unary) {
    if (unary->getOpcode() == clang::UO_Deref) use(unary, unary->getType());
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr *element) {
    use(element, element->getType());
    return true;
  }

  void commit() {
    for (auto &[kind, unit] : units_) unit.commit("reducers of " + kind);
  }

 private:
  static bool is_of_library(const clang::NamedDecl *declaration) {
    for (const clang::DeclContext *context = declaration->getDeclContext(); context != nullptr;
         context = context->getParent())
      if (auto *space = dyn_cast<clang::NamespaceDecl>(context))
        if (space->getIdentifier() != nullptr && space->getName() == "cilk") return true;
    return false;
  }
  static llvm::StringRef last_name(llvm::StringRef text) {
    const std::size_t colon = text.rfind(':');
    return colon == llvm::StringRef::npos ? text.trim() : text.substr(colon + 1).trim();
  }

  Construct &unit(const std::string &kind, clang::SourceLocation at) {
    auto found = units_.find(kind);
    if (found == units_.end()) found = units_.emplace(kind, Construct(source_, at)).first;
    return found->second;
  }
  void refuse(const std::string &kind, clang::SourceLocation at, const llvm::Twine &what) {
    if (kinds().count(kind) == 0) return;
    unit(kind, at).refuse(at, "reducers of this kind stay Cilk Plus': " + what +
                                  " has no counterpart in <cilk/reducer.h>");
  }

  // All kinds that a template's reducer names stay, since its uses are not seen.
  void refuse_template(clang::TemplateSpecializationTypeLoc type) {
    const std::string text = source_.text(clang::SourceRange(type.getBeginLoc(), type.getEndLoc()));
    for (const auto &[kind, row] : kinds())
      if (text.find("op_" + kind.str() + "<") != std::string::npos ||
          text.find("reducer_" + kind.str() + "<") != std::string::npos ||
          text.find("reducer_op" + kind.str() + "<") != std::string::npos)
        refuse(kind.str(), type.getBeginLoc(), "a template's reducer");
  }

  void replace_type(const std::string &kind, clang::TemplateSpecializationTypeLoc type,
                    const std::string &argument) {
    auto row = kinds().find(kind);
    if (row == kinds().end()) return;
    std::string value = row->second.value;
    if (const std::size_t place = value.find("%T"); place != std::string::npos)
      value.replace(place, 2, argument);
    Construct &all = unit(kind, type.getBeginLoc());
    if (!placed_.insert(type.getBeginLoc().getRawEncoding()).second) return;
    // With the qualifier, if there is one: the operations are named in full.
    clang::SourceLocation begin = type.getBeginLoc();
    const clang::SourceLocation name = type.getTemplateNameLoc();
    if (begin.isInvalid() || begin == name) begin = qualifier_before(name);
    all.replace(clang::SourceRange(begin, type.getRAngleLoc()),
                "cilk::reducer<" + value + ", " + row->second.operation + ">");
    all.need("<cilk/reducer.h>");
    if (kind.rfind("list", 0) == 0) all.need("<list>");
    if (kind == "vector") all.need("<vector>");
    if (llvm::StringRef(row->second.operation).starts_with("std::")) all.need("<functional>");
  }

  // Where `cilk::` before a name begins, if it is there.
  clang::SourceLocation qualifier_before(clang::SourceLocation name) const {
    const auto [file, offset] = source_.sources.getDecomposedLoc(name);
    llvm::StringRef before = source_.sources.getBufferData(file).take_front(offset);
    return before.ends_with("cilk::") ? name.getLocWithOffset(-6) : name;
  }

  // The kind of a reducer's type, and whether it is one of the older classes.
  std::optional<std::pair<std::string, bool>> reducer_of(clang::QualType type) const {
    const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
    if (record == nullptr || record->getIdentifier() == nullptr || !is_of_library(record))
      return std::nullopt;
    auto *instance = dyn_cast<clang::ClassTemplateSpecializationDecl>(record);
    const llvm::StringRef name = record->getName();
    if (name == "reducer" && instance != nullptr) {
      const clang::TemplateArgument &first = instance->getTemplateArgs().get(0);
      const clang::CXXRecordDecl *monoid = first.getKind() == clang::TemplateArgument::Type
                                               ? first.getAsType()->getAsCXXRecordDecl()
                                               : nullptr;
      if (monoid == nullptr || monoid->getIdentifier() == nullptr || !is_of_library(monoid))
        return std::nullopt;
      return std::pair(kind_of(monoid->getName()).str(), false);
    }
    if (!name.starts_with("reducer_")) return std::nullopt;
    return std::pair(kind_of(name).str(), true);
  }

  void use(const clang::Expr *reducer, clang::QualType type) {
    const auto found = reducer_of(type);
    if (!found || kinds().count(found->first) == 0) return;
    const auto &[kind, is_older] = *found;
    const clang::SourceLocation at = reducer->getBeginLoc();
    if (!is_users_(source_, at)) return;
    if (auto *unary = dyn_cast<clang::UnaryOperator>(reducer); unary == nullptr)
      if (type->isPointerType()) return;
    if (is_older && llvm::StringRef(kind).ends_with("string"))
      return refuse(kind, at, "an older class of strings");
    const clang::Stmt *parent = parent_of(reducer);
    Construct &all = unit(kind, at);
    const std::string text = source_.text(reducer);
    if (auto *member = llvm::dyn_cast_or_null<clang::MemberExpr>(parent)) {
      auto *call = llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(parent_of(member));
      const std::string name = member->getMemberNameInfo().getAsString();
      if (call == nullptr) return refuse(kind, at, "'" + name + "'");
      if (name == "get_value" || name == "set_value") return;
      if (name == "move_in" && call->getNumArgs() == 1)
        return all.replace(call->getSourceRange(), source_.text(member->getBase()) +
                                                       access(member) + "set_value(std::move(" +
                                                       source_.text(call->getArg(0)) + "))");
      if (name == "move_out" && call->getNumArgs() == 1)
        return all.replace(call->getSourceRange(), source_.text(call->getArg(0)) + " = " +
                                                       source_.text(member->getBase()) +
                                                       access(member) + "take()");
      if (is_older && name == "get_reference")
        return all.replace(call->getSourceRange(),
                           source_.text(member->getBase()) + access(member) + "view()");
      if (is_older && name == "calc_" + kind && call->getNumArgs() == 1)
        return fold(all, call, reducer, "(*" + source_.text(member->getBase()) + ")", kind);
      if (is_older && !member->isArrow() &&
          (name == "push_back" || name == "push_front" || name == "append"))
        return all.replace(clang::SourceRange(member->getOperatorLoc()), "->");
      return refuse(kind, at, "'" + name + "'");
    }
    if (auto *operation = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(parent)) {
      if (operation->getArg(0) != child_of(operation, reducer))
        return is_reference_argument(operation) ? void() : refuse(kind, at, "this use");
      switch (operation->getOperator()) {
        case clang::OO_Star:
          return;  // the value; what may be done with it is checked below
        case clang::OO_Arrow:
          return arrow(all, kind, operation, text);
        case clang::OO_PlusEqual:
        case clang::OO_MinusEqual:
        case clang::OO_StarEqual:
        case clang::OO_AmpEqual:
        case clang::OO_PipeEqual:
        case clang::OO_CaretEqual:
          if (is_older) return all.before(at, "*");
          break;
        case clang::OO_PlusPlus:
        case clang::OO_MinusMinus:
          if (is_older) {
            all.before(at, "(*");
            return all.after(source_.range(reducer->getSourceRange()).getEnd(), ")");
          }
          break;
        default:
          break;
      }
      return refuse(kind, at, "this operator");
    }
    // Handed on by reference or by address; or initialized, which begins with a declaration.
    if (llvm::isa_and_nonnull<clang::CallExpr, clang::CXXConstructExpr>(parent)) return;
    if (auto *unary = llvm::dyn_cast_or_null<clang::UnaryOperator>(parent);
        unary != nullptr && unary->getOpcode() == clang::UO_AddrOf)
      return;
    if (parent == nullptr || isa<clang::LambdaExpr, clang::InitListExpr>(parent)) return;
    refuse(kind, at, "this use");
  }

  static bool is_reference_argument(const clang::CXXOperatorCallExpr *call) {
    return call->getOperator() == clang::OO_Call;
  }
  static std::string access(const clang::MemberExpr *member) {
    return member->isArrow() ? "->" : ".";
  }

  // r->calc_max(x) and its like: the view's functions that a value does not have.
  void arrow(Construct &all, const std::string &kind, const clang::CXXOperatorCallExpr *operation,
             const std::string &text) {
    auto *member = llvm::dyn_cast_or_null<clang::MemberExpr>(parent_of(operation));
    auto *call = member == nullptr
                     ? nullptr
                     : llvm::dyn_cast_or_null<clang::CXXMemberCallExpr>(parent_of(member));
    if (call == nullptr) return refuse(kind, operation->getBeginLoc(), "this use");
    const std::string name = member->getMemberNameInfo().getAsString();
    if (name == "calc_" + kind && call->getNumArgs() == 1)
      return fold(all, call, operation->getArg(0), "*" + text, kind);
    static const std::set<std::string> kBoth{"push_back", "push_front", "append"};
    if (kBoth.count(name) == 0) refuse(kind, operation->getBeginLoc(), "'" + name + "'");
  }

  // value = min(value, x); as a statement alone, since the view's own function returns the view.
  void fold(Construct &all, const clang::CallExpr *call, const clang::Expr *reducer,
            const std::string &value, const std::string &kind) {
    const clang::Stmt *parent = parent_of(call);
    if (llvm::isa_and_nonnull<clang::Expr>(parent) && !isa<clang::ExprWithCleanups>(parent))
      return refuse(kind, call->getBeginLoc(), "a chain of calls");
    // The new code names the reducer three times.
    if (has_effects(source_.context, reducer))
      return refuse(kind, call->getBeginLoc(), "a reducer that an expression with effects finds");
    std::string target = value;
    if (llvm::StringRef(target).starts_with("(*")) target = target.substr(1, target.size() - 2);
    all.replace(call->getSourceRange(), target + " = std::" + kind + "<std::decay_t<decltype(" +
                                            target + ")>>(" + target + ", " +
                                            source_.text(call->getArg(0)) + ")");
    all.need("<algorithm>");
  }

  const clang::Stmt *parent_of(const clang::Stmt *statement) const {
    auto &context = const_cast<clang::ASTContext &>(source_.context);
    for (;;) {
      const clang::DynTypedNodeList parents = context.getParents(*statement);
      if (parents.empty()) return nullptr;
      const auto *parent = parents[0].get<clang::Stmt>();
      if (parent == nullptr) return nullptr;
      if (!isa<clang::ImplicitCastExpr, clang::ParenExpr, clang::MaterializeTemporaryExpr>(parent))
        return parent;
      statement = parent;
    }
  }
  const clang::Expr *child_of(const clang::CXXOperatorCallExpr *operation,
                              const clang::Expr *reducer) const {
    for (const clang::Expr *argument : operation->arguments())
      if (argument->IgnoreParenImpCasts() == reducer) return argument;
    return nullptr;
  }

  Source &source_;
  bool (*is_users_)(const Source &, clang::SourceLocation);
  std::map<std::string, Construct> units_;
  std::set<unsigned> placed_;
};

}  // namespace

void rewrite_reducers(Source &source, bool (*is_users)(const Source &, clang::SourceLocation)) {
  if (!source.is_cplusplus()) return;
  Reducers reducers(source, is_users);
  reducers.TraverseDecl(source.context.getTranslationUnitDecl());
  reducers.commit();
}

}  // namespace nopal::migrate
