// Loops and reductions: the range of a body's lambda is what its loop runs over.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "onetbb.h"

namespace nopal::migrate {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

std::string class_name(const clang::Expr *value) {
  const clang::CXXRecordDecl *record = value->getType().getNonReferenceType()->getAsCXXRecordDecl();
  return record == nullptr ? "" : onetbb_name(record).str();
}

// Whether a statement leaves the lambda, but not one that is in it; `in_loop`: from inside a loop
// or switch, which `continue` would not leave.
static bool has_return(const clang::Stmt *root, bool *in_loop = nullptr) {
  bool has = false;
  walk(root, [&](const clang::Stmt *found, const Path &path) {
    if (isa<clang::LambdaExpr>(found)) return false;
    if (!isa<clang::ReturnStmt>(found)) return true;
    has = true;
    if (in_loop != nullptr)
      for (const clang::Stmt *outer : path)
        *in_loop |= isa<clang::ForStmt, clang::WhileStmt, clang::DoStmt, clang::CXXForRangeStmt,
                        clang::SwitchStmt>(outer);
    return true;
  });
  return has;
}

static bool has_init_capture(const clang::LambdaExpr *lambda) {
  for (const clang::LambdaCapture &capture : lambda->captures())
    if (lambda->isInitCapture(&capture)) return true;
  return false;
}

// A variable of which the lambda has a copy, and which may change by another name meanwhile.
const clang::VarDecl *OneTBB::aliased_copy(const clang::LambdaExpr *lambda) const {
  for (const clang::LambdaCapture &capture : lambda->captures()) {
    if (!capture.capturesVariable() || capture.getCaptureKind() != clang::LCK_ByCopy) continue;
    auto *variable = dyn_cast<clang::VarDecl>(capture.getCapturedVar());
    if (variable != nullptr && has_alias(function_->getBody(), variable)) return variable;
  }
  return nullptr;
}

OneTBB::RangeLoop OneTBB::loop_of(Construct &unit, const clang::Expr *body,
                                  unsigned parameters) const {
  RangeLoop found;
  const clang::LambdaExpr *lambda = lambda_of(body);
  const std::string reason =
      "the body takes the range as a whole: write it as a loop over the "
      "range's elements";
  auto *block = lambda == nullptr ? nullptr : dyn_cast<clang::CompoundStmt>(body_of(lambda));
  if (block == nullptr || call_operator_of(lambda)->getNumParams() != parameters ||
      lambda->isMutable() || has_init_capture(lambda)) {
    unit.refuse(body->getBeginLoc(), reason);
    return found;
  }
  if (const clang::VarDecl *copied = aliased_copy(lambda)) {
    unit.refuse(body->getBeginLoc(), "the body has a copy of '" + copied->getName() +
                                         "', which is also changed by another name");
    return found;
  }
  for (const clang::Stmt *part : block->body()) {
    if (auto *declared = dyn_cast<clang::DeclStmt>(part); declared != nullptr && !found.loop)
      found.before.push_back(declared);
    else if (auto *loop = dyn_cast<clang::ForStmt>(part); loop != nullptr && !found.loop)
      found.loop = loop;
    else if (isa<clang::ReturnStmt>(part) && found.loop != nullptr && parameters == 2)
      found.after = part;
    else
      unit.refuse(part->getBeginLoc(), reason);
  }
  if (found.loop == nullptr || (parameters == 2 && found.after == nullptr) ||
      has_return(found.loop))
    unit.refuse(body->getBeginLoc(), reason);
  found.lambda = lambda;
  found.body = block;
  return found;
}

// What a body declares before its loop is one for all iterations if it is a constant; a reference
// to a strand's own value goes into the loop.
std::vector<const clang::DeclStmt *> OneTBB::moved_into_loop(Construct &unit,
                                                             const RangeLoop &found) {
  std::vector<const clang::DeclStmt *> moved;
  for (const clang::DeclStmt *statement : found.before) {
    bool is_own = false;
    walk(statement, [&](const clang::Stmt *part) {
      if (auto *call = dyn_cast<clang::CXXMemberCallExpr>(part))
        is_own |=
            call->getMethodDecl() != nullptr && call->getMethodDecl()->getNameAsString() == "local";
      return true;
    });
    for (const clang::Decl *declared : statement->decls()) {
      auto *variable = dyn_cast<clang::VarDecl>(declared);
      if (variable == nullptr || is_own) continue;
      const clang::Expr *value = variable->getInit();
      // As a lock that is held.
      const bool is_guard = variable->needsDestruction(source_.context) &&
                            llvm::none_of(uses_in(found.loop),
                                          [&](const Use &use) { return use.variable == variable; });
      if (has_effects(source_.context, value) || is_guard || may_change(found.body, variable))
        unit.refuse(statement->getBeginLoc(), "each part of the range has its own '" +
                                                  variable->getName() +
                                                  "': make it a reducer, or declare it in the "
                                                  "loop");
    }
    if (is_own) moved.push_back(statement);
  }
  return moved;
}

// Puts text at the beginning of a loop's body.
static void into_body(const Source &source, Construct &unit, const clang::Stmt *body,
                      const std::string &text) {
  if (text.empty()) return;
  if (auto *block = dyn_cast<clang::CompoundStmt>(body)) {
    const std::string indentation =
        block->body_empty() ? " " : "\n" + source.indentation(block->body_front()->getBeginLoc());
    unit.after(block->getLBracLoc().getLocWithOffset(1), indentation + text);
  } else {
    unit.before(body->getBeginLoc(), "{ " + text + " ");
    unit.after(source.end(body), " }");
  }
}

void OneTBB::count_partitioners(const Construct &unit, const clang::CallExpr *call) {
  if (unit.is_refused()) return;
  for (const clang::Expr *argument : call->arguments())
    if (llvm::StringRef(class_name(argument)).ends_with("_partitioner"))
      for (const Use &use : uses_in(argument)) ++partitioners_[use.variable];
}

void OneTBB::parallel_for(const clang::CallExpr *call, bool is_statement) {
  Construct unit(source_, call->getBeginLoc());
  const std::vector<const clang::Expr *> arguments = arguments_of(unit, call);
  if (!is_statement) unit.refuse(call->getBeginLoc(), "parallel_for is part of an expression");
  const std::string type = class_name(arguments.front());
  if (type == "blocked_range")
    range_loop(unit, call, arguments.back());
  else if (type == "blocked_range2d")
    range_loop_2d(unit, call, arguments.back());
  else if (type == "blocked_range3d" || arguments.size() < 3)
    unit.refuse(call->getBeginLoc(), "the range has no counterpart: write nested loops");
  else
    index_loop(unit, call, arguments);
  unit.need("<cilk/cilk.h>");
  count_partitioners(unit, call);
  unit.commit("call");
}

// parallel_for(first, last, [step,] body).
void OneTBB::index_loop(Construct &unit, const clang::CallExpr *call,
                        const std::vector<const clang::Expr *> &arguments) {
  const clang::Expr *body = arguments.back();
  const clang::LambdaExpr *lambda = lambda_of(body);
  const std::string indentation = source_.indentation(call->getBeginLoc());
  std::string index = "index", type = "auto";
  clang::PrintingPolicy policy(source_.context.getLangOpts());
  if (!function_->isTemplateInstantiation())
    if (const clang::TemplateArgumentList *list =
            call->getDirectCallee()->getTemplateSpecializationArgs();
        list != nullptr && list->get(0).getKind() == clang::TemplateArgument::Type)
      type = list->get(0).getAsType().getAsString(policy);
  bool returns_in_loop = false;
  const clang::ParmVarDecl *parameter = nullptr;
  if (lambda != nullptr) {
    parameter = call_operator_of(lambda)->getParamDecl(0);
    const clang::ParmVarDecl *written = lambda->getCallOperator()->getParamDecl(0);
    if (!parameter->getName().empty()) index = parameter->getName().str();
    if (!written->getType()->isDependentType() && !written->getType()->isReferenceType())
      type = source_.text(written->getTypeSourceInfo()->getTypeLoc().getSourceRange());
  }
  if (lambda != nullptr && parameter->getName().empty())
    for (const Use &use : uses_in(body_of(lambda)))
      if (use.variable->getName() == index) index = source_.fresh("index_of_loop");
  // A bound may name a variable that the index would hide.
  bool is_hidden = false;
  for (std::size_t i = 0; i + 1 < arguments.size(); ++i)
    for (const Use &use : uses_in(arguments[i])) is_hidden |= use.variable->getName() == index;
  if (is_hidden) index = source_.fresh(index + "_of_loop");
  const std::string first = source_.text(arguments[0]), last = operand(arguments[1]);
  const std::string step = arguments.size() == 4 ? source_.text(arguments[2]) : "";
  const std::string loop = "cilk_for (" + type + " " + index + " = " + first + "; " + index +
                           " < " + last + "; " +
                           (step.empty() ? "++" + index : index + " += " + step) + ") ";
  const clang::SourceLocation end = source_.range(call->getSourceRange()).getEnd();
  const clang::SourceLocation statement_end = source_.end(call);
  if (end.isInvalid() || statement_end.isInvalid() ||
      (lambda != nullptr &&
       (lambda->getBeginLoc().isMacroID() || body_of(lambda)->getBeginLoc().isMacroID())))
    return unit.refuse(call->getBeginLoc(), "part of it is in a macro");
  if (lambda == nullptr) {
    const clang::Expr *function = body->IgnoreUnlessSpelledInSource();
    const std::string text = source_.text(function);
    if (isa<clang::DeclRefExpr>(function))
      return unit.replace(clang::CharSourceRange::getCharRange(call->getBeginLoc(), end),
                          loop + text + "(" + index + ")");
    const std::string name = source_.fresh("body");
    return unit.replace(clang::CharSourceRange::getCharRange(call->getBeginLoc(), statement_end),
                        "{\n" + indentation + "  const auto " + name + " = " + text + ";\n" +
                            indentation + "  " + loop + name + "(" + index + ");\n" + indentation +
                            "}");
  }
  const clang::Stmt *block = body_of(lambda);
  has_return(block, &returns_in_loop);
  const clang::SourceLocation lambda_end = source_.range(lambda->getSourceRange()).getEnd();
  const bool is_plain = !is_hidden && !returns_in_loop && !lambda->isMutable() &&
                        !has_init_capture(lambda) && !may_change(block, parameter) &&
                        aliased_copy(lambda) == nullptr;
  if (lambda->isMutable()) return unit.refuse(lambda->getBeginLoc(), "the body changes itself");
  if (is_plain) {
    // The lambda's block is the loop's body.
    unit.replace(clang::CharSourceRange::getCharRange(call->getBeginLoc(), block->getBeginLoc()),
                 loop);
    unit.replace(clang::CharSourceRange::getCharRange(lambda_end, statement_end), "");
    walk(block, [&](const clang::Stmt *found) {
      if (isa<clang::LambdaExpr>(found)) return false;
      if (auto *left = dyn_cast<clang::ReturnStmt>(found)) {
        if (left->getRetValue() != nullptr)
          unit.refuse(left->getBeginLoc(), "the body returns a value");
        unit.replace(left->getSourceRange(), "continue");
      }
      return true;
    });
    return;
  }
  const std::string name = source_.fresh("body");
  unit.replace(clang::CharSourceRange::getCharRange(call->getBeginLoc(), lambda->getBeginLoc()),
               "{\n" + indentation + "  const auto " + name + " = ");
  unit.replace(clang::CharSourceRange::getCharRange(lambda_end, statement_end),
               ";\n" + indentation + "  " + loop + name + "(" + index + ");\n" + indentation + "}");
}

// parallel_for(blocked_range, body): the block of the lambda stays, without the call around it.
void OneTBB::range_loop(Construct &unit, const clang::CallExpr *call, const clang::Expr *body) {
  const std::optional<Range> range = range_of(call->getArg(0));
  if (!range) return unit.refuse(call->getBeginLoc(), "the range is not clear");
  const RangeLoop found = loop_of(unit, body, 1);
  if (unit.is_refused()) return;
  const std::vector<const clang::DeclStmt *> moved = moved_into_loop(unit, found);
  const clang::ParmVarDecl *parameter = call_operator_of(found.lambda)->getParamDecl(0);
  header(unit, found.loop, parameter, *range, "");
  // Other uses of the range.
  unsigned uses = 0;
  for (const Use &use : uses_in(found.body)) uses += use.variable == parameter;
  if (uses != 2)
    unit.refuse(body->getBeginLoc(), "the body asks more of the range than its begin and end");
  const std::string indentation = source_.indentation(found.loop->getBeginLoc());
  const clang::SourceLocation statement_end = source_.end(call);
  const clang::SourceLocation lambda_end = source_.range(found.lambda->getSourceRange()).getEnd();
  if (unit.is_refused()) return;
  moved_.insert(moved.begin(), moved.end());
  std::string text;
  for (const clang::DeclStmt *statement : moved) text += source_.text(statement) + " ";
  const std::string grain =
      range->grain.empty() ? "" : "#pragma cilk grainsize " + range->grain + "\n";
  if (found.before.size() == moved.size() && grain.empty()) {
    // Nothing but the loop is left of the block.
    unit.replace(
        clang::CharSourceRange::getCharRange(call->getBeginLoc(), found.loop->getBeginLoc()), "");
    unit.replace(clang::CharSourceRange::getCharRange(source_.end(found.loop), statement_end), "");
  } else {
    unit.replace(
        clang::CharSourceRange::getCharRange(call->getBeginLoc(), found.body->getBeginLoc()), "");
    if (!grain.empty()) {
      // A pragma has its own line.
      const bool begins_line =
          source_.sources.getFileOffset(found.loop->getBeginLoc()) -
              source_.sources.getFileOffset(source_.line_begin(found.loop->getBeginLoc())) ==
          indentation.size();
      unit.before(found.loop->getBeginLoc(),
                  (begins_line ? grain : "\n" + indentation + "  " + grain) + indentation);
    }
    for (const clang::DeclStmt *statement : moved) remove(unit, statement);
    unit.replace(clang::CharSourceRange::getCharRange(lambda_end, statement_end), "");
  }
  if (!text.empty()) {
    text.pop_back();
    into_body(source_, unit, found.loop->getBody(), text);
  }
}

// parallel_for(blocked_range2d, body): the loops over rows and over columns are both parallel.
void OneTBB::range_loop_2d(Construct &unit, const clang::CallExpr *call, const clang::Expr *body) {
  std::optional<Range> rows = range_of(call->getArg(0), 0);
  std::optional<Range> columns = range_of(call->getArg(0), 1);
  if (!rows || !columns) return unit.refuse(call->getBeginLoc(), "the range is not clear");
  const RangeLoop found = loop_of(unit, body, 1);
  if (unit.is_refused()) return;
  if (!moved_into_loop(unit, found).empty())
    return unit.refuse(call->getBeginLoc(), "the body has values of its own before its loops");
  const clang::ParmVarDecl *parameter = call_operator_of(found.lambda)->getParamDecl(0);
  // Each row would compute the bounds of its columns.
  if (!columns->is_repeatable) {
    std::string bounds;
    for (auto &[range, name] : {std::pair(&*rows, "row"), std::pair(&*columns, "column")}) {
      for (auto &[bound, type, place] : {std::tuple(&range->begin, &range->begin_type, "first_"),
                                         std::tuple(&range->end, &range->end_type, "last_")}) {
        if (llvm::all_of(*bound, llvm::isDigit)) continue;
        const std::string constant = source_.fresh(std::string(place) + name);
        bounds += "\n" + source_.indentation(found.loop->getBeginLoc()) + "const " +
                  range->value_name + " " + constant + " = " + *bound + ";";
        *bound = constant;
        *type = range->value;
      }
    }
    unit.after(found.body->getLBracLoc().getLocWithOffset(1), bounds);
  }
  header(unit, found.loop, parameter, *rows, "rows");
  const clang::ForStmt *inner = nullptr;
  unsigned inner_loops = 0;
  walk(found.loop->getBody(), [&](const clang::Stmt *part) {
    if (auto *loop = dyn_cast<clang::ForStmt>(part)) {
      bool is_columns = false;
      if (loop->getInit() != nullptr)
        walk(loop->getInit(), [&](const clang::Stmt *statement) {
          if (auto *reference = dyn_cast<clang::DeclRefExpr>(statement))
            is_columns |= reference->getDecl() == parameter;
          return true;
        });
      if (is_columns) {
        inner = loop;
        ++inner_loops;
      }
    }
    return true;
  });
  if (inner_loops != 1)
    return unit.refuse(call->getBeginLoc(), "the body has no one loop over the columns");
  header(unit, inner, parameter, *columns, "cols");
  unsigned uses = 0;
  for (const Use &use : uses_in(found.body)) uses += use.variable == parameter;
  if (uses != 4)
    unit.refuse(body->getBeginLoc(), "the body asks more of the range than its begins and ends");
  // Iterations of the outer loop must not share what the inner ones change.
  for (const Use &use : uses_in(inner->getBody()))
    if ((use.kind == Use::kWritten || (!use.variable->getType()->isReferenceType() &&
                                       may_change(inner->getBody(), use.variable))) &&
        use.variable->hasLocalStorage() &&
        !source_.sources.isBeforeInTranslationUnit(use.variable->getLocation(),
                                                   found.body->getBeginLoc()) &&
        source_.sources.isBeforeInTranslationUnit(use.variable->getLocation(),
                                                  inner->getBeginLoc()))
      unit.refuse(use.reference->getBeginLoc(),
                  "the columns of a row share '" + use.variable->getName() + "'");
  if (unit.is_refused()) return;
  const clang::SourceLocation lambda_end = source_.range(found.lambda->getSourceRange()).getEnd();
  unit.replace(clang::CharSourceRange::getCharRange(call->getBeginLoc(), found.body->getBeginLoc()),
               "");
  unit.replace(clang::CharSourceRange::getCharRange(lambda_end, source_.end(call)), "");
}

// Whether a number with rounding is in it; of a class only what its own members show.
static bool has_real(clang::QualType type) {
  if (type->isRealFloatingType() || type->isAnyComplexType()) return true;
  if (const clang::ArrayType *array = type->getAsArrayTypeUnsafe())
    return has_real(array->getElementType());
  const clang::RecordDecl *record = type->getAsRecordDecl();
  return record != nullptr &&
         llvm::any_of(record->fields(), [](auto *field) { return has_real(field->getType()); });
}

// parallel_reduce(range, identity, body, join): a lambda that has a reducer and the loop.
void OneTBB::parallel_reduce(const clang::CallExpr *call) {
  Construct unit(source_, call->getBeginLoc());
  const std::vector<const clang::Expr *> arguments = arguments_of(unit, call);
  const std::optional<Range> range = range_of(arguments.front());
  if (arguments.size() != 4) {
    unit.refuse(call->getBeginLoc(),
                "a body of a class that splits and joins: write a loop over a "
                "cilk::reducer");
    return unit.commit("call");
  }
  if (!range) {
    unit.refuse(call->getBeginLoc(), "the range is not clear");
    return unit.commit("call");
  }
  if (call->getDirectCallee()->getName() == "parallel_deterministic_reduce" &&
      has_real(call->getType())) {
    unit.refuse(call->getBeginLoc(),
                "a reducer gives the same bits only if the operation is exact: write cilk::reduce");
    return unit.commit("call");
  }
  RangeLoop found = loop_of(unit, arguments[2], 2);
  if (unit.is_refused()) return unit.commit("call");
  const clang::CXXMethodDecl *function = call_operator_of(found.lambda);
  const clang::ParmVarDecl *parameter = function->getParamDecl(0);
  const clang::VarDecl *total = function->getParamDecl(1);
  // What is returned: the second parameter, or a variable that begins with its value.
  const clang::Expr *returned = cast<clang::ReturnStmt>(found.after)->getRetValue();
  const clang::VarDecl *result = nullptr;
  if (returned != nullptr)
    for (const Use &use : uses_in(returned)) result = use.variable;
  const clang::DeclStmt *own = nullptr;
  if (result != total)
    for (const clang::DeclStmt *statement : found.before)
      if (statement->isSingleDecl() && statement->getSingleDecl() == result) {
        auto *variable = cast<clang::VarDecl>(statement->getSingleDecl());
        if (variable->getInit() != nullptr && source_.text(variable->getInit()) == total->getName())
          own = statement;
      }
  if (result == nullptr || (result != total && own == nullptr) ||
      source_.text(returned) != result->getName())
    unit.refuse(found.after->getBeginLoc(),
                "what the body returns is not the value that it "
                "changes");
  if (own != nullptr) found.before.erase(llvm::find(found.before, own));
  if (!unit.is_refused() && !found.before.empty()) {
    if (!moved_into_loop(unit, found).empty())
      unit.refuse(call->getBeginLoc(), "the body has values of its own before its loop");
  }
  if (unit.is_refused()) return unit.commit("call");
  header(unit, found.loop, parameter, *range, "");
  unsigned uses = 0;
  for (const Use &use : uses_in(found.body)) uses += use.variable == parameter;
  if (uses != 2)
    unit.refuse(call->getBeginLoc(), "the body asks more of the range than its begin and end");
  const std::string name = result->getName().str();
  const std::string reducer = source_.fresh(name + "_reducer");
  // The type of the value, which the lambda's parameter names.
  const clang::ParmVarDecl *written = found.lambda->getCallOperator()->getParamDecl(1);
  std::string type =
      source_.text(written->getTypeSourceInfo()->getTypeLoc().getUnqualifiedLoc().getSourceRange());
  llvm::StringRef plain(type);
  plain = plain.trim();
  while (plain.consume_back("&") || plain.consume_back(" ")) {
  }
  plain.consume_front("const ");
  type = plain.str();
  const std::string identity = source_.text(arguments[1]);
  if (type == "auto") type = "std::decay_t<decltype(" + identity + ")>";
  const std::string indentation = source_.indentation(found.loop->getBeginLoc());
  const clang::SourceLocation lambda_end = source_.range(found.lambda->getSourceRange()).getEnd();
  const clang::SourceLocation call_end = source_.range(call->getSourceRange()).getEnd();
  unit.replace(clang::CharSourceRange::getCharRange(call->getBeginLoc(),
                                                    found.body->getLBracLoc().getLocWithOffset(1)),
               "[&] {\n" + indentation + "cilk::reducer " + reducer + "(cilk::monoid_of(" + type +
                   "(" + identity + "), " + source_.text(arguments[3]) + "));");
  if (own != nullptr) remove(unit, own);
  if (!range->grain.empty())
    unit.before(found.loop->getBeginLoc(),
                "\n#pragma cilk grainsize " + range->grain + "\n" + indentation);
  into_body(source_, unit, found.loop->getBody(), type + " &" + name + " = *" + reducer + ";");
  unit.replace(returned->getSourceRange(), reducer + ".take()");
  unit.replace(clang::CharSourceRange::getCharRange(lambda_end, call_end), "()");
  unit.need("<cilk/cilk.h>");
  unit.need("<cilk/reducer.h>");
  count_partitioners(unit, call);
  unit.commit("call");
}

}  // namespace nopal::migrate
