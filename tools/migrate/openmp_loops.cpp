// Loops: `for` becomes cilk_for, private variables go into the body, and reductions become
// reducers.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "openmp.h"

#include "clang/Lex/Lexer.h"

namespace nopal::migrate {

using llvm::dyn_cast;
using llvm::isa;

// In a template the types of an instantiation are not those that the source may name.
std::string OpenMP::declaration(const clang::VarDecl *variable) const {
  const std::string name = variable->getName().str();
  if (function_->isTemplateInstantiation()) return "decltype(" + name + ") " + name;
  std::string text = name;
  clang::PrintingPolicy policy(source_.context.getLangOpts());
  variable->getType().getNonReferenceType().getUnqualifiedType().getAsStringInternal(text, policy);
  return text;
}

// The loop's own variable, which an outer declaration may have been.
const clang::VarDecl *OpenMP::for_header(const clang::ForStmt *loop) {
  const clang::Stmt *begin = loop->getInit();
  if (auto *declared = llvm::dyn_cast_or_null<clang::DeclStmt>(begin))
    return declared->isSingleDecl() ? dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
  const clang::Expr *left = nullptr;
  if (auto *assignment = llvm::dyn_cast_or_null<clang::BinaryOperator>(begin))
    left = assignment->isAssignmentOp() ? assignment->getLHS() : nullptr;
  if (auto *assignment = llvm::dyn_cast_or_null<clang::CXXOperatorCallExpr>(begin))
    left = assignment->getOperator() == clang::OO_Equal ? assignment->getArg(0) : nullptr;
  auto *reference =
      left == nullptr ? nullptr : dyn_cast<clang::DeclRefExpr>(left->IgnoreParenImpCasts());
  auto *variable = reference == nullptr ? nullptr : dyn_cast<clang::VarDecl>(reference->getDecl());
  if (variable == nullptr) return nullptr;
  const std::string declared = declaration(variable);
  const std::string name = variable->getName().str();
  if (!llvm::StringRef(declared).ends_with(name)) return nullptr;
  unit_->before(begin->getBeginLoc(), declared.substr(0, declared.size() - name.size()));
  moved_.push_back({variable, loop, unit_name_});
  return variable;
}

// `for` becomes cilk_for, and so do the loops that a collapse clause names.
void OpenMP::header(const clang::Stmt *statement, unsigned levels, const std::string &grain,
                    std::vector<const clang::VarDecl *> &own) {
  if (auto *loop = dyn_cast<clang::CXXForRangeStmt>(statement)) {
    unit_->replace(clang::SourceRange(loop->getForLoc()), "cilk_for");
    return;
  }
  auto *loop = dyn_cast<clang::ForStmt>(statement);
  if (loop == nullptr) return unit_->refuse(statement->getBeginLoc(), "this is not a for loop");
  unit_->replace(clang::SourceRange(loop->getForLoc()), "cilk_for");
  own.push_back(for_header(loop));
  if (own.back() == nullptr)
    return unit_->refuse(loop->getBeginLoc(), "the loop's variable is not clear");
  // i = i + c and i = c + i have no other spelling there.
  if (auto *step = dyn_cast<clang::BinaryOperator>(loop->getInc()->IgnoreParenImpCasts());
      step != nullptr && step->getOpcode() == clang::BO_Assign) {
    auto *sum = dyn_cast<clang::BinaryOperator>(step->getRHS()->IgnoreParenImpCasts());
    if (sum == nullptr) return unit_->refuse(step->getBeginLoc(), "the loop's step is not clear");
    const std::string name = source_.text(step->getLHS());
    const std::string left = source_.text(sum->getLHS()), right = source_.text(sum->getRHS());
    const bool is_left = left == name;
    unit_->replace(
        step->getSourceRange(),
        name + (sum->getOpcode() == clang::BO_Sub ? " -= " : " += ") + (is_left ? right : left));
  }
  if (levels < 2) return;
  const clang::Stmt *body = loop->getBody();
  while (auto *block = dyn_cast<clang::CompoundStmt>(body)) {
    if (block->size() != 1) break;
    body = block->body_front();
  }
  if (!isa<clang::ForStmt>(body))
    return unit_->refuse(body->getBeginLoc(), "code between the collapsed loops");
  if (!grain.empty()) {
    const std::string indentation = source_.indentation(body->getBeginLoc());
    const bool is_first = source_.is_first_on_line(body->getBeginLoc());
    unit_->before(body->getBeginLoc(), (is_first ? "" : "\n") + grain + "\n" + indentation);
  }
  header(body, levels - 1, grain, own);
}

void OpenMP::declare_privates(const clang::Stmt *body, const Clauses &clauses, const Clauses &outer,
                              const std::vector<const clang::VarDecl *> &own) {
  std::vector<const clang::VarDecl *> variables = clauses.privates;
  for (const clang::VarDecl *variable : outer.privates) variables.push_back(variable);
  std::string declarations;
  const std::vector<Use> uses = uses_in(body);
  for (const Use &use : uses)
    if (use.reference->hasQualifier() && llvm::is_contained(variables, use.variable))
      return unit_->refuse(use.reference->getBeginLoc(),
                           "'" + source_.text(use.reference) +
                               "' is each thread's own: name it without its namespace");
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const bool is_used =
        llvm::any_of(uses, [&](const Use &use) { return use.variable == variables[i]; });
    const bool is_repeated = std::find(variables.begin(), variables.begin() + static_cast<long>(i),
                                       variables[i]) != variables.begin() + static_cast<long>(i);
    if (is_used && !is_repeated && !llvm::is_contained(own, variables[i])) {
      declarations += declaration(variables[i]) + "; ";
      moved_.push_back({variables[i], body, unit_name_});
    }
  }
  if (declarations.empty()) return;
  declarations.pop_back();
  if (auto *block = dyn_cast<clang::CompoundStmt>(body)) {
    const std::string indentation =
        block->body_empty() ? " " : "\n" + source_.indentation(block->body_front()->getBeginLoc());
    unit_->after(block->getLBracLoc().getLocWithOffset(1), indentation + declarations);
  } else {
    unit_->before(body->getBeginLoc(), "{ " + declarations + " ");
    unit_->after(source_.end(body), " }");
  }
}

// Declarations of local variables that are declared anew wherever the function uses them go, so
// that no compiler says they are unused: as far as all units that do are rewritten.
void OpenMP::remove_moved() {
  if (function_->isTemplateInstantiation()) return;
  std::map<const clang::VarDecl *, std::set<std::string>> units;
  std::set<const clang::DeclRefExpr *> inside;
  for (const Moved &moved : moved_) {
    units[moved.variable].insert(moved.unit);
    for (const Use &use : uses_in(moved.where))
      if (use.variable == moved.variable) inside.insert(use.reference);
  }
  for (const Use &use : uses_in(function_->getBody()))
    if (inside.count(use.reference) == 0) units.erase(use.variable);
  walk(function_->getBody(), [&](const clang::Stmt *statement) {
    auto *declaration = dyn_cast<clang::DeclStmt>(statement);
    if (declaration == nullptr) return true;
    const auto is_unused = [&](const clang::Decl *one) {
      auto *variable = dyn_cast<clang::VarDecl>(one);
      return variable != nullptr && units.count(variable) != 0 && variable->hasLocalStorage() &&
             !has_effects(source_.context, variable->getInit());
    };
    Construct removal(source_, statement->getBeginLoc());
    const std::vector<const clang::Decl *> all(declaration->decl_begin(), declaration->decl_end());
    for (const clang::Decl *one : all)
      if (is_unused(one))
        for (const std::string &unit : units[llvm::cast<clang::VarDecl>(one)]) removal.depend(unit);
    if (llvm::all_of(all, is_unused)) {
      removal.remove_statement(declaration);
      removal.commit_if_possible("unused");
      return true;
    }
    bool is_first = true;  // of those that stay
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!is_unused(all[i])) {
        is_first = false;
      } else if (!is_first) {  // goes with the comma before it
        removal.replace(clang::CharSourceRange::getCharRange(
                            source_.range(all[i - 1]->getSourceRange()).getEnd(),
                            source_.range(all[i]->getSourceRange()).getEnd()),
                        "");
      } else if (!llvm::cast<clang::VarDecl>(all[i])->getType()->isArithmeticType()) {
        return true;  // where its `*` begins is not known
      } else {        // goes with the comma after it
        const clang::SourceLocation next = clang::Lexer::findLocationAfterToken(
            all[i]->getEndLoc(), clang::tok::comma, source_.sources, source_.context.getLangOpts(),
            true);
        removal.replace(clang::CharSourceRange::getCharRange(all[i]->getLocation(), next), "");
      }
    }
    if (llvm::any_of(all, is_unused)) removal.commit_if_possible("unused");
    return true;
  });
}

namespace {

struct Operation {
  std::string monoid, identity, code;  // in C++; in C, with %T for the type
};

}  // namespace

static Operation operation_of(const std::string &name, clang::QualType type,
                              const clang::ASTContext &context) {
  const bool is_real = type->isRealFloatingType();
  const bool is_unsigned = type->isUnsignedIntegerType();
  if (name == "*") return {"std::multiplies<>{}", "1", "*a *= *b"};
  if (name == "&") return {"std::bit_and<>{}", "~(%T)0", "*a &= *b"};
  if (name == "|") return {"std::bit_or<>{}", "0", "*a |= *b"};
  if (name == "^") return {"std::bit_xor<>{}", "0", "*a ^= *b"};
  if (name == "&&") return {"std::logical_and<>{}", "1", "*a = *a && *b"};
  if (name == "||") return {"std::logical_or<>{}", "0", "*a = *a || *b"};
  // The highest and the lowest value of a type, without a header.
  std::string highest, lowest;
  const unsigned bits = static_cast<unsigned>(context.getTypeSize(type));
  if (is_unsigned) {
    highest = "(%T)-1";
    lowest = "0";
  } else {
    highest = "(%T)(((1ull << " + std::to_string(bits - 2) + ") - 1) * 2 + 1)";
    lowest = "-" + highest + " - 1";
  }
  if (name == "min")
    return {"cilk::minimum{}", is_real ? std::string("__builtin_inf()") : highest,
            "if (*b < *a) *a = *b"};
  if (name == "max")
    return {"cilk::maximum{}", is_real ? std::string("-__builtin_inf()") : lowest,
            "if (*b > *a) *a = *b"};
  return {"std::plus<>{}", "0", "*a += *b"};
}

static std::string with_type(llvm::StringRef text, const std::string &type) {
  std::string filled;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("%T")) {
      filled += type;
      ++i;
    } else {
      filled += text[i];
    }
  }
  return filled;
}

// The declarations of reducers, and their names where the variables stood.
std::string OpenMP::begin_reductions(const Clauses &clauses, const clang::Stmt *body,
                                     const std::string &indentation) {
  if (clauses.reductions.empty()) return "";
  std::string lines = indentation + "{\n";
  std::map<const clang::VarDecl *, std::string> reducers;
  for (const auto &[variable, operation, name] : clauses.reductions) {
    const clang::QualType type = variable->getType().getNonReferenceType().getUnqualifiedType();
    const Operation row = operation_of(operation, type, source_.context);
    const std::string reducer = source_.fresh(variable->getName().str() + "_reducer");
    reducers[variable] = reducer;
    if (source_.is_cplusplus()) {
      lines += indentation + "  cilk::reducer " + reducer + "(" + name + ", " + row.monoid + ");\n";
      unit_->need("<cilk/reducer.h>");
      unit_->need("<functional>");
    } else {
      clang::PrintingPolicy policy(source_.context.getLangOpts());
      const std::string written = type.getAsString(policy);
      // A helper stands before the program's own types.
      clang::QualType plain = type.getCanonicalType();
      if (auto *choice = plain->getAs<clang::EnumType>())
        plain = choice->getDecl()->getIntegerType();
      const std::string known = plain.getCanonicalType().getAsString(policy);
      std::string word = known;
      for (char &c : word)
        if (c == ' ' || c == '*') c = '_';
      static const std::map<std::string, std::string> kWords{
          {"+", "sum"}, {"-", "sum"},  {"*", "product"}, {"&", "and"},       {"|", "or"},
          {"^", "xor"}, {"&&", "all"}, {"||", "any"},    {"min", "minimum"}, {"max", "maximum"}};
      const std::string base = "nopal_" + kWords.at(operation) + "_" + word;
      unit_->need_helper(base, "// " + kWords.at(operation) +
                                   ": an identity, and two values made one.\n" + "static void " +
                                   base + "_identity(void *view) {\n  *(" + known +
                                   " *)view = " + with_type(row.identity, known) + ";\n}\n" +
                                   "static void " + base + "(void *left, void *right) {\n  " +
                                   known + " *a = left, *b = right;\n  " + row.code + ";\n}\n");
      lines += indentation + "  " + written + " cilk_reducer(" + base + "_identity, " + base +
               ") " + reducer + " = " + name + ";\n";
    }
  }
  for (const Use &use : uses_in(body)) {
    auto found = reducers.find(use.variable);
    if (found == reducers.end()) continue;
    std::string text = found->second;
    if (source_.is_cplusplus()) text = use.is_statement_operand ? "*" + text : "(*" + text + ")";
    unit_->replace(use.reference->getSourceRange(), text);
  }
  return lines;
}

std::string OpenMP::end_reductions(const Clauses &clauses, const std::string &indentation) {
  std::string lines;
  for (const auto &[variable, operation, name] : clauses.reductions)
    lines += "\n" + indentation + "  " + name + " = " + (source_.is_cplusplus() ? "*" : "") +
             source_.fresh(variable->getName().str() + "_reducer") + ";";
  return lines + "\n" + indentation + "}";
}

// The pragma of the loop's grain, or nothing. Where a condition does not hold one thread runs all,
// in order: so does a piece.
std::string OpenMP::grain_of(const Clauses &clauses, const Clauses &outer) {
  std::string condition;
  for (const clang::Expr *one : {outer.condition, clauses.condition}) {
    if (one == nullptr) continue;
    if (clauses.collapse > 1 && has_effects(source_.context, one))
      unit_->refuse(one->getBeginLoc(), "the inner loops would compute this condition, too");
    condition += (condition.empty() ? "(" : " && (") + source_.text(one) + ")";
  }
  const std::string chunk = clauses.chunk == nullptr ? "" : source_.text(clauses.chunk);
  const std::string grain = "#pragma cilk grainsize ";
  if (condition.empty()) return chunk.empty() ? "" : grain + chunk;
  return grain + condition + " ? " + (chunk.empty() ? "0" : "(" + chunk + ")") + " : 0x7fffffff";
}

// A reduction's variable may be in memory, where iterations do depend on each other.
static std::string vectorize_pragma(const Clauses &clauses) {
  return std::string("#pragma clang loop vectorize(") +
         (clauses.reductions.empty() ? "assume_safety)" : "enable)");
}

// A loop for one thread. -fopenmp-simd, which needs no library, knows the others.
void OpenMP::simd(const clang::OMPExecutableDirective *directive) {
  const Clauses clauses = read(directive);
  const std::string else_stays = ", or compile with -fopenmp-simd";
  if (!clauses.privates.empty())
    unit_->refuse(directive->getBeginLoc(),
                  "the loop has private variables: declare them in it" + else_stays);
  if (clauses.condition != nullptr)
    unit_->refuse(directive->getBeginLoc(), "the loop has a condition: remove it" + else_stays);
  for (const auto &reduction : clauses.reductions)
    if (!reduction.variable->getType().getNonReferenceType()->isIntegerType())
      unit_->refuse(directive->getBeginLoc(), "the reduction of '" + reduction.variable->getName() +
                                                  "' may change its order: say so to the compiler" +
                                                  else_stays);
  if (unit_->is_refused()) return;
  const std::string indentation = source_.indentation_of_pragma(directive->getBeginLoc());
  unit_->replace_pragma(directive->getSourceRange(),
                        clauses.may_vectorize && clauses.collapse == 1
                            ? indentation + vectorize_pragma(clauses) + "\n"
                            : "");
  visit(body_of(directive));
}

// A loop whose iterations are independent.
void OpenMP::loop(const clang::OMPExecutableDirective *directive, const Clauses &outer) {
  const Clauses clauses = read(directive);
  for (const auto &[variable, operation, name] : clauses.reductions)
    if (llvm::is_contained(reduced_, variable))
      unit_->refuse(directive->getBeginLoc(),
                    "'" + variable->getName() + "' is reduced by the loop around it, too");
  if (unit_->is_refused()) return;
  const clang::Stmt *statement = body_of(directive);
  const std::string grain = grain_of(clauses, outer);
  const std::string indentation = source_.indentation_of_pragma(directive->getBeginLoc());
  std::string lines = begin_reductions(clauses, statement, indentation);
  if (clauses.may_vectorize) lines += indentation + vectorize_pragma(clauses) + "\n";
  if (!grain.empty()) lines += indentation + grain + "\n";
  unit_->replace_pragma(directive->getSourceRange(), lines);
  unit_->need("<cilk/cilk.h>");
  std::vector<const clang::VarDecl *> own;
  const bool has_condition = clauses.condition != nullptr || outer.condition != nullptr;
  header(statement, clauses.collapse, has_condition ? grain : "", own);
  const clang::Stmt *body = nullptr;
  if (auto *loop = dyn_cast<clang::ForStmt>(statement)) body = loop->getBody();
  if (auto *loop = dyn_cast<clang::CXXForRangeStmt>(statement)) body = loop->getBody();
  if (unit_->is_refused() || body == nullptr) return;
  if (clauses.may_vectorize)
    for (const Use &use : uses_in(function_->getBody()))
      if (llvm::is_contained(own, use.variable) && use.kind != Use::kWritten &&
          source_.sources.isBeforeInTranslationUnit(statement->getEndLoc(),
                                                    use.reference->getBeginLoc()))
        return unit_->refuse(
            use.reference->getBeginLoc(),
            "the loop gives '" + use.variable->getName() + "' the value that it has here");
  for (unsigned level = 1; level < clauses.collapse; ++level) {
    while (auto *block = dyn_cast<clang::CompoundStmt>(body)) body = block->body_front();
    body = llvm::cast<clang::ForStmt>(body)->getBody();
  }
  // Before what the body adds: a statement that ends where the loop does ends before it.
  if (!clauses.reductions.empty())
    unit_->after(source_.end(statement), end_reductions(clauses, indentation));
  declare_privates(body, clauses, outer, own);
  for (const auto &[variable, operation, name] : clauses.reductions) reduced_.push_back(variable);
  visit_in(body, true);
  reduced_.resize(reduced_.size() - clauses.reductions.size());
}

}  // namespace nopal::migrate
