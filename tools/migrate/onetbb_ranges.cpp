// Ranges of oneTBB: what they say, and the headers of the loops that run over them.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "onetbb.h"

namespace nopal::migrate {

using llvm::dyn_cast;
using llvm::isa;

std::string OneTBB::operand(const clang::Expr *value) const {
  const clang::Expr *written = value->IgnoreImpCasts();
  auto *binary = dyn_cast<clang::BinaryOperator>(written);
  const bool binds_weakly =
      isa<clang::AbstractConditionalOperator>(written) ||
      (binary != nullptr && !binary->isMultiplicativeOp() && !binary->isAdditiveOp());
  return binds_weakly ? "(" + source_.text(value) + ")" : source_.text(value);
}

// The name of the type of a range's elements, as the program writes it; empty if it does not.
static std::string written_value(const Source &source, const clang::Expr *range,
                                 unsigned dimension) {
  const clang::TypeSourceInfo *type = nullptr;
  const clang::Expr *value = range->IgnoreUnlessSpelledInSource();
  if (auto *converted = dyn_cast<clang::CXXFunctionalCastExpr>(value))
    type = converted->getTypeInfoAsWritten();
  if (auto *made = dyn_cast<clang::CXXTemporaryObjectExpr>(value)) type = made->getTypeSourceInfo();
  if (type == nullptr) return "";
  const auto named =
      type->getTypeLoc().getUnqualifiedLoc().getAsAdjusted<clang::TemplateSpecializationTypeLoc>();
  return named && dimension < named.getNumArgs()
             ? source.text(named.getArgLoc(dimension).getSourceRange())
             : "";
}

// A constant that is not negative.
static bool is_count(const clang::ASTContext &context, const clang::Expr *value) {
  const std::optional<llvm::APSInt> number =
      value->isValueDependent() ? std::nullopt : value->getIntegerConstantExpr(context);
  return number && !number->isNegative();
}

// Whether a bound is the same if it is computed again, and nothing else happens then.
static bool is_repeatable(const clang::ASTContext &context, const clang::Expr *bound) {
  bool is = !has_effects(context, bound);
  walk(bound, [&](const clang::Stmt *found) {
    auto *call = dyn_cast<clang::CallExpr>(found);
    const clang::FunctionDecl *callee = call == nullptr ? nullptr : call->getDirectCallee();
    if (auto *operation = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(call))
      is &= operation->getOperator() != clang::OO_Call;
    else if (auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee))
      is &= method->isConst() || method->isStatic();
    else if (call != nullptr)
      is &= callee != nullptr && callee->isConstexpr();
    return is;
  });
  return is;
}

std::optional<OneTBB::Range> OneTBB::range_of(const clang::Expr *range, unsigned dimension) const {
  const clang::Expr *value = range->IgnoreUnlessSpelledInSource();
  if (auto *cast = dyn_cast<clang::CXXFunctionalCastExpr>(value))
    value = cast->getSubExpr()->IgnoreUnlessSpelledInSource();
  const bool is_2d = class_name(range) == "blocked_range2d";
  if (class_name(range) != "blocked_range" && !is_2d) return std::nullopt;
  Range found;
  const auto *record = dyn_cast<clang::ClassTemplateSpecializationDecl>(
      range->getType().getNonReferenceType()->getAsCXXRecordDecl());
  if (record == nullptr || record->getTemplateArgs().size() <= dimension) return std::nullopt;
  found.value = record->getTemplateArgs().get(dimension).getAsType();
  found.value_name = written_value(source_, range, dimension);
  if (found.value_name.empty())
    found.value_name =
        found.value.getAsString(clang::PrintingPolicy(source_.context.getLangOpts()));
  for (const Use &use : uses_in(range)) found.names.insert(use.variable->getName().str());
  if (isa<clang::DeclRefExpr>(value)) {
    const std::string name =
        source_.text(value) + (is_2d ? dimension == 0 ? ".rows()" : ".cols()" : "");
    found.begin = name + ".begin()";
    found.end = name + ".end()";
    found.begin_type = found.end_type = found.value;
    found.value_name = "";
    return found;
  }
  auto *construct = dyn_cast<clang::CXXConstructExpr>(value);
  if (construct == nullptr) return std::nullopt;
  std::vector<const clang::Expr *> arguments;
  for (const clang::Expr *argument : construct->arguments())
    if (!argument->isDefaultArgument()) arguments.push_back(argument);
  const std::size_t dimensions = is_2d ? 2 : 1, each = arguments.size() / dimensions;
  if (arguments.size() % dimensions != 0 || each < 2 || each > 3) return std::nullopt;
  const clang::Expr *const *own = &arguments[each * dimension];
  found.begin = operand(own[0]);
  found.end = operand(own[1]);
  if (each == 3) found.grain = operand(own[2]);
  found.begin_type = own[0]->IgnoreImpCasts()->getType();
  found.end_type = own[1]->IgnoreImpCasts()->getType();
  for (const clang::Expr *end : {own[0], own[1]})
    found.is_repeatable &= is_repeatable(source_.context, end);
  found.is_known = is_count(source_.context, own[0]) && is_count(source_.context, own[1]);
  return found;
}

// Whether the language compares values of these types without their sign.
static bool compares_unsigned(const clang::ASTContext &context, clang::QualType left,
                              clang::QualType right) {
  if (!left->isIntegerType() || !right->isIntegerType()) return false;
  const auto promoted = [&](clang::QualType type) {
    return context.isPromotableIntegerType(type) ? context.getPromotedIntegerType(type) : type;
  };
  left = promoted(left);
  right = promoted(right);
  if (left->isSignedIntegerType() == right->isSignedIntegerType())
    return left->isUnsignedIntegerType();
  const clang::QualType plain = left->isSignedIntegerType() ? right : left;
  const clang::QualType with_sign = left->isSignedIntegerType() ? left : right;
  return context.getTypeSize(plain) >= context.getTypeSize(with_sign);
}

// A range of which begin is not less than end is empty, and a loop with != would not end.
void OneTBB::condition(Construct &unit, const clang::ForStmt *loop,
                       const clang::VarDecl *index) const {
  const clang::Expr *condition = loop->getCond()->IgnoreUnlessSpelledInSource();
  const clang::Expr *left = nullptr;
  clang::SourceLocation sign;
  if (auto *binary = dyn_cast<clang::BinaryOperator>(condition);
      binary != nullptr && binary->getOpcode() == clang::BO_NE) {
    left = binary->getLHS();
    sign = binary->getOperatorLoc();
  } else if (auto *call = dyn_cast<clang::CXXOperatorCallExpr>(condition);
             call != nullptr && call->getOperator() == clang::OO_ExclaimEqual) {
    left = call->getArg(0);
    sign = call->getOperatorLoc();
  } else if (auto *same = dyn_cast<clang::CXXRewrittenBinaryOperator>(condition);
             same != nullptr && same->getOperator() == clang::BO_NE) {
    left = same->getLHS();
    sign = same->getOperatorLoc();
  }
  if (left == nullptr) return;
  bool steps_down = false;
  walk(loop->getInc(), [&](const clang::Stmt *found) {
    if (auto *unary = dyn_cast<clang::UnaryOperator>(found)) steps_down |= unary->isDecrementOp();
    if (auto *binary = dyn_cast<clang::BinaryOperator>(found))
      steps_down |= binary->getOpcode() == clang::BO_SubAssign;
    if (auto *call = dyn_cast<clang::CXXOperatorCallExpr>(found))
      steps_down |= call->getOperator() == clang::OO_MinusMinus ||
                    call->getOperator() == clang::OO_MinusEqual;
    return true;
  });
  if (steps_down)
    return unit.refuse(loop->getBeginLoc(),
                       "the loop does not run from the range's begin to its end");
  const std::vector<Use> uses = uses_in(left);
  const bool is_left = llvm::any_of(uses, [&](const Use &use) { return use.variable == index; });
  unit.replace(clang::SourceRange(sign), is_left ? "<" : ">");
}

// `for` becomes cilk_for, and the range's ends their values. `dimension`: "rows", "cols" or empty.
bool OneTBB::header(Construct &unit, const clang::ForStmt *loop,
                    const clang::ParmVarDecl *parameter, const Range &range,
                    llvm::StringRef dimension) {
  const std::string base =
      parameter->getName().str() + (dimension.empty() ? "" : "." + dimension.str() + "()");
  auto *declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
  auto *index = declared == nullptr ? nullptr : dyn_cast<clang::VarDecl>(*declared->decl_begin());
  if (index == nullptr || loop->getCond() == nullptr || loop->getInc() == nullptr) {
    unit.refuse(loop->getBeginLoc(), "the loop does not run from the range's begin to its end");
    return false;
  }
  // The range converts its ends to the type of its elements, and the loop compares those.
  const auto &context = source_.context;
  const clang::QualType type = index->getType().getNonReferenceType();
  const bool is_auto = index->getTypeSourceInfo()->getType()->getContainedAutoType() != nullptr;
  const bool has_sign = range.value->isSignedIntegerType();
  const auto converted = [&](const std::string &text, clang::QualType own, bool is_in_init) {
    // Of each instance of a template in the same way.
    const bool is_deduced =
        is_in_init && is_auto && !range.value_name.empty() &&
        (function_->isTemplateInstantiation() ||
         !context.hasSameUnqualifiedType(own.getNonReferenceType(), range.value));
    const bool loses_sign = !is_in_init && has_sign && compares_unsigned(context, type, own);
    return is_deduced || loses_sign ? "static_cast<" + range.value_name + ">(" + text + ")" : text;
  };
  if (has_sign && !range.is_known && compares_unsigned(context, type, range.value))
    unit.refuse(loop->getBeginLoc(),
                "'" + index->getName() + "' is unsigned and the range is not: give both one type");
  unsigned begins = 0, ends = 0;
  const auto ends_of_range = [&](const clang::Stmt *part) {
    walk(part, [&](const clang::Stmt *found) {
      auto *call = dyn_cast<clang::CallExpr>(found);
      if (call == nullptr) return true;
      const std::string text = source_.text(call);
      const bool is_in_init = part == declared;
      if (text == base + ".begin()" && begins++ == 0)
        unit.replace(call->getSourceRange(), converted(range.begin, range.begin_type, is_in_init));
      if (text == base + ".end()" && ends++ == 0)
        unit.replace(call->getSourceRange(), converted(range.end, range.end_type, is_in_init));
      return text != base + ".begin()" && text != base + ".end()";
    });
  };
  ends_of_range(declared);
  ends_of_range(loop->getCond());
  if (begins != 1 || ends != 1) {
    unit.refuse(loop->getBeginLoc(), "the loop does not run from the range's begin to its end");
    return false;
  }
  condition(unit, loop, index);
  // The range's text comes to stand where the body's variables are known.
  const clang::SourceLocation body = parameter->getLocation();
  walk(function_->getBody(), [&](const clang::Stmt *found) {
    auto *declared = dyn_cast<clang::DeclStmt>(found);
    if (declared == nullptr ||
        source_.sources.isBeforeInTranslationUnit(found->getBeginLoc(), body))
      return true;
    for (const clang::Decl *one : declared->decls())
      if (auto *variable = dyn_cast<clang::VarDecl>(one);
          variable != nullptr && range.names.count(variable->getName().str()) != 0 &&
          !source_.sources.isBeforeInTranslationUnit(loop->getBody()->getBeginLoc(),
                                                     variable->getLocation()))
        unit.refuse(found->getBeginLoc(),
                    "'" + variable->getName() + "' would hide a variable of the range");
    return true;
  });
  unit.replace(clang::SourceRange(loop->getForLoc()), "cilk_for");
  return true;
}

}  // namespace nopal::migrate
