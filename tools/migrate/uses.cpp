// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "uses.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/ExprOpenMP.h"

namespace nopal::migrate {

using llvm::dyn_cast;
using llvm::isa;

const clang::Stmt *body_of(const clang::OMPExecutableDirective *directive) {
  if (!directive->hasAssociatedStmt()) return nullptr;
  const clang::Stmt *body = directive->getAssociatedStmt();
  for (;;) {
    if (auto *captured = dyn_cast<clang::CapturedStmt>(body))
      body = captured->getCapturedStmt();
    else if (auto *loop = dyn_cast<clang::OMPCanonicalLoop>(body))
      body = loop->getLoopStmt();
    else
      return body;
  }
}

const clang::CXXMethodDecl *call_operator_of(const clang::LambdaExpr *lambda) {
  auto *pattern = llvm::dyn_cast_or_null<clang::FunctionTemplateDecl>(
      lambda->getLambdaClass()->getDependentLambdaCallOperator());
  if (pattern != nullptr)
    for (const clang::FunctionDecl *instance : pattern->specializations())
      if (instance->getBody() != nullptr) return llvm::cast<clang::CXXMethodDecl>(instance);
  return lambda->getCallOperator();
}

const clang::Stmt *body_of(const clang::LambdaExpr *lambda) {
  const clang::Stmt *body = call_operator_of(lambda)->getBody();
  return body != nullptr ? body : lambda->getBody();
}

static void walk_below(const clang::Stmt *root, Path &path,
                       const std::function<bool(const clang::Stmt *, const Path &)> &visit) {
  if (root == nullptr || !visit(root, path)) return;
  path.push_back(root);
  const auto below = [&](const clang::Stmt *child) { walk_below(child, path, visit); };
  if (auto *directive = dyn_cast<clang::OMPExecutableDirective>(root)) {
    below(body_of(directive));
  } else if (auto *captured = dyn_cast<clang::CapturedStmt>(root)) {
    below(captured->getCapturedStmt());
  } else if (auto *lambda = dyn_cast<clang::LambdaExpr>(root)) {
    for (const clang::Expr *capture : lambda->capture_inits()) below(capture);
    below(body_of(lambda));
  } else if (auto *loop = dyn_cast<clang::CXXForRangeStmt>(root)) {
    below(loop->getRangeInit());
    below(loop->getBody());
  } else {
    for (const clang::Stmt *child : root->children()) below(child);
  }
  path.pop_back();
}

void walk(const clang::Stmt *root, const std::function<bool(const clang::Stmt *)> &visit) {
  Path path;
  walk_below(root, path,
             [&](const clang::Stmt *statement, const Path &) { return visit(statement); });
}

void walk(const clang::Stmt *root,
          const std::function<bool(const clang::Stmt *, const Path &)> &visit) {
  Path path;
  walk_below(root, path, visit);
}

// Climbs from the reference to what is done with it.
static Use::Kind kind_of(const clang::DeclRefExpr *reference, const Path &path) {
  const clang::Expr *value = reference;
  for (std::size_t i = path.size(); i-- > 0;) {
    const clang::Stmt *parent = path[i];
    if (auto *cast = dyn_cast<clang::ImplicitCastExpr>(parent)) {
      if (cast->getCastKind() == clang::CK_LValueToRValue) return Use::kRead;
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay) {
        // An element of an array is a part of it.
        if (i > 0 && isa<clang::ArraySubscriptExpr>(path[i - 1])) {
          value = cast;
          continue;
        }
        return Use::kObject;
      }
      value = cast;
      continue;
    }
    if (isa<clang::ParenExpr, clang::ArraySubscriptExpr, clang::ExprWithCleanups,
            clang::MaterializeTemporaryExpr>(parent)) {
      value = llvm::cast<clang::Expr>(parent);
      continue;
    }
    if (auto *member = dyn_cast<clang::MemberExpr>(parent)) {
      if (!isa<clang::FieldDecl>(member->getMemberDecl())) {
        auto *method = dyn_cast<clang::CXXMethodDecl>(member->getMemberDecl());
        // A pointer or an object that it returns may lead into this one.
        return method != nullptr && method->isConst() && method->getReturnType()->isArithmeticType()
                   ? Use::kRead
                   : Use::kObject;
      }
      value = member;
      continue;
    }
    if (auto *construct = dyn_cast<clang::CXXConstructExpr>(parent)) {
      const clang::CXXConstructorDecl *constructor = construct->getConstructor();
      return constructor->isCopyConstructor() ? Use::kRead : Use::kObject;
    }
    if (auto *binary = dyn_cast<clang::BinaryOperator>(parent)) {
      if (binary->isAssignmentOp() && binary->getLHS() == value) return Use::kWritten;
      return Use::kObject;
    }
    if (auto *unary = dyn_cast<clang::UnaryOperator>(parent))
      return unary->isIncrementDecrementOp() ? Use::kWritten : Use::kObject;
    if (isa<clang::CompoundStmt>(parent)) return Use::kRead;
    return Use::kObject;
  }
  return Use::kObject;
}

// A const reference or a const call operator of an object cannot change it.
static bool is_const_use(const clang::DeclRefExpr *reference, const Path &path) {
  const clang::Expr *value = reference;
  for (std::size_t i = path.size(); i-- > 0;) {
    if (auto *cast = dyn_cast<clang::ImplicitCastExpr>(path[i])) {
      if (cast->getType().isConstQualified()) return true;
      if (cast->getCastKind() == clang::CK_ArrayToPointerDecay)
        if (cast->getType()->getPointeeType().isConstQualified()) return true;
      value = cast;
      continue;
    }
    if (isa<clang::ParenExpr, clang::ArraySubscriptExpr, clang::MemberExpr>(path[i])) {
      value = llvm::cast<clang::Expr>(path[i]);
      continue;
    }
    break;
  }
  return value->getType().isConstQualified();
}

std::vector<Use> uses_in(const clang::Stmt *root) {
  std::vector<Use> uses;
  Path path;
  walk_below(root, path, [&](const clang::Stmt *statement, const Path &above) {
    if (auto *reference = dyn_cast<clang::DeclRefExpr>(statement)) {
      if (auto *variable = dyn_cast<clang::VarDecl>(reference->getDecl())) {
        Use::Kind kind = kind_of(reference, above);
        if (llvm::any_of(above, [](const auto *outer) { return isa<clang::LambdaExpr>(outer); }))
          kind = kind == Use::kWritten ? kind : Use::kObject;
        const bool is_operand = !above.empty() && isa<clang::BinaryOperator>(above.back()) &&
                                llvm::cast<clang::BinaryOperator>(above.back())->isAssignmentOp();
        const bool is_capture = !above.empty() && isa<clang::LambdaExpr>(above.back());
        uses.push_back({reference, variable, kind, is_capture, is_operand});
      }
    }
    return true;
  });
  return uses;
}

const clang::CallExpr *spawnable_call(const clang::Stmt *statement) {
  auto *value = dyn_cast<clang::Expr>(statement);
  if (value == nullptr) return nullptr;
  value = value->IgnoreUnlessSpelledInSource();
  const clang::Expr *assigned = nullptr;
  if (auto *assignment = dyn_cast<clang::BinaryOperator>(value)) {
    if (assignment->getOpcode() != clang::BO_Assign) return nullptr;
    assigned = assignment->getRHS();
  } else if (auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(value)) {
    if (operation->getOperator() != clang::OO_Equal) return nullptr;
    assigned = operation->getArg(1);
  }
  if (assigned != nullptr) value = assigned->IgnoreUnlessSpelledInSource();
  auto *call = dyn_cast<clang::CallExpr>(value);
  if (call == nullptr || isa<clang::CXXOperatorCallExpr>(call)) return nullptr;
  const clang::FunctionDecl *callee = call->getDirectCallee();
  return callee != nullptr && callee->getBuiltinID() != 0 ? nullptr : call;
}

bool is_of_object(const clang::CallExpr *call, const clang::DeclRefExpr *reference) {
  auto *method = dyn_cast<clang::CXXMemberCallExpr>(call);
  bool is_of_it = false;
  if (method != nullptr)
    walk(method->getImplicitObjectArgument(), [&](const clang::Stmt *found) {
      is_of_it |= found == reference;
      return true;
    });
  return is_of_it;
}

bool has_effects(const clang::ASTContext &context, const clang::Expr *value) {
  if (value == nullptr) return false;
  bool has = value->HasSideEffects(context, false);
  walk(value, [&](const clang::Stmt *found) {
    if (auto *operation = dyn_cast<clang::CXXOperatorCallExpr>(found))
      has |= operation->isAssignmentOp() || operation->getOperator() == clang::OO_PlusPlus ||
             operation->getOperator() == clang::OO_MinusMinus;
    if (auto *call = dyn_cast<clang::CXXMemberCallExpr>(found))
      if (const clang::CXXMethodDecl *method = call->getMethodDecl();
          method != nullptr && method->getIdentifier() != nullptr)
        has |= method->getName().starts_with("fetch_") || method->getName() == "exchange";
    return !has;
  });
  return has;
}

bool has_alias(const clang::Stmt *root, const clang::VarDecl *variable) {
  bool has = false;
  walk(root, [&](const clang::Stmt *found, const Path &path) {
    auto *reference = dyn_cast<clang::DeclRefExpr>(found);
    if (reference == nullptr || reference->getDecl() != variable) return !has;
    const clang::Stmt *whole = reference;
    for (std::size_t i = path.size(); i-- > 0;) {
      if (auto *unary = dyn_cast<clang::UnaryOperator>(path[i]))
        has |= unary->getOpcode() == clang::UO_AddrOf;
      if (auto *declared = dyn_cast<clang::DeclStmt>(path[i]))
        for (const clang::Decl *one : declared->decls())
          if (auto *other = dyn_cast<clang::VarDecl>(one))
            has |= other->getInit() == whole && other->getType()->isReferenceType();
      if (!isa<clang::ParenExpr, clang::MemberExpr, clang::ArraySubscriptExpr,
               clang::ImplicitCastExpr>(path[i]))
        break;
      whole = path[i];
    }
    return !has;
  });
  return has;
}

bool may_change(const clang::Stmt *root, const clang::VarDecl *variable) {
  if (variable->getType().getNonReferenceType().isConstQualified()) return false;
  bool changes = false;
  Path path;
  walk_below(root, path, [&](const clang::Stmt *statement, const Path &above) {
    if (auto *reference = dyn_cast<clang::DeclRefExpr>(statement))
      if (reference->getDecl() == variable) {
        const Use::Kind kind = kind_of(reference, above);
        if (kind == Use::kWritten || (kind == Use::kObject && !is_const_use(reference, above)))
          changes = true;
      }
    return !changes;
  });
  return changes;
}

}  // namespace nopal::migrate
