// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "onetbb.h"

#include <algorithm>
#include <set>

namespace nopal::migrate {

using llvm::cast;
using llvm::dyn_cast;
using llvm::isa;

llvm::StringRef onetbb_name(const clang::NamedDecl *declaration) {
  if (declaration == nullptr || declaration->getIdentifier() == nullptr) return "";
  const clang::DeclContext *outermost = nullptr;
  for (const clang::DeclContext *context = declaration->getDeclContext(); context != nullptr;
       context = context->getParent())
    if (context->isNamespace()) outermost = context;
  if (outermost == nullptr) return "";
  const auto *space = cast<clang::NamespaceDecl>(outermost);
  return space->getIdentifier() != nullptr && space->getName() == "tbb" ? declaration->getName()
                                                                        : "";
}

static llvm::StringRef class_name(clang::QualType type) {
  const clang::CXXRecordDecl *record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record == nullptr ? "" : onetbb_name(record);
}

std::vector<const clang::Expr *> arguments_of(Construct &unit, const clang::CallExpr *call) {
  std::vector<const clang::Expr *> arguments;
  for (const clang::Expr *argument : call->arguments()) {
    const llvm::StringRef type = class_name(argument->getType());
    if (type == "task_group_context")
      unit.refuse(argument->getBeginLoc(),
                  "a task_group_context, which may cancel, has no "
                  "counterpart");
    if (type.ends_with("_partitioner") || argument->isDefaultArgument()) continue;
    arguments.push_back(argument);
  }
  return arguments;
}

const clang::LambdaExpr *lambda_of(const clang::Expr *argument) {
  return dyn_cast<clang::LambdaExpr>(argument->IgnoreUnlessSpelledInSource());
}

static bool is_spread(llvm::StringRef type) {
  return type == "task_group" || type == "enumerable_thread_specific" || type == "combinable";
}

void OneTBB::run() {
  walk(function_->getBody(), [&](const clang::Stmt *statement, const Path &path) {
    if (isa<clang::CallExpr, clang::DeclStmt>(statement))
      source_.changes.claim(source_.sources, statement->getBeginLoc());
    if (auto *found = dyn_cast<clang::CallExpr>(statement)) call(found, path);
    return true;
  });
  members();
  // Variables come after the calls, which may move their uses.
  walk(function_->getBody(), [&](const clang::Stmt *statement, const Path &) {
    if (auto *declared = dyn_cast<clang::DeclStmt>(statement))
      for (const clang::Decl *declaration : declared->decls())
        if (auto *found = dyn_cast<clang::VarDecl>(declaration)) variable(found, declared);
    return true;
  });
  for (const clang::ParmVarDecl *parameter : function_->parameters()) {
    const llvm::StringRef type = class_name(parameter->getType());
    if (!is_spread(type)) continue;
    Construct unit(source_, parameter->getBeginLoc());
    unit.refuse(parameter->getBeginLoc(),
                "a " + type + " of the caller: children end with the function that spawns them");
    unit.commit("parameter");
  }
}

// What other functions use, too: a member, or a variable outside of functions.
void OneTBB::members() {
  std::set<const clang::ValueDecl *> told;
  walk(function_->getBody(), [&](const clang::Stmt *statement, const Path &) {
    const auto *call = dyn_cast<clang::CXXMemberCallExpr>(statement);
    if (call == nullptr || !is_spread(class_name(call->getObjectType()))) return true;
    const clang::Expr *object = call->getImplicitObjectArgument()->IgnoreParenImpCasts();
    const clang::ValueDecl *used = nullptr;
    if (auto *member = dyn_cast<clang::MemberExpr>(object)) used = member->getMemberDecl();
    if (auto *reference = dyn_cast<clang::DeclRefExpr>(object))
      if (auto *variable = dyn_cast<clang::VarDecl>(reference->getDecl());
          variable != nullptr && variable->isFileVarDecl())
        used = variable;
    if (used == nullptr || !told.insert(used).second) return true;
    Construct unit(source_, call->getBeginLoc());
    unit.refuse(call->getBeginLoc(),
                "'" + used->getNameAsString() +
                    "' is not a local variable: children end with the function "
                    "that spawns them");
    unit.commit("member");
    return true;
  });
}

void OneTBB::refuse_unclaimed() {
  walk(function_->getBody(), [&](const clang::Stmt *statement) {
    const clang::NamedDecl *used = nullptr;
    if (auto *call = dyn_cast<clang::CallExpr>(statement))
      if (auto *callee = dyn_cast<clang::UnresolvedLookupExpr>(call->getCallee()))
        if (callee->decls_begin() != callee->decls_end()) used = *callee->decls_begin();
    if (auto *declared = dyn_cast<clang::DeclStmt>(statement))
      if (auto *variable = dyn_cast<clang::VarDecl>(*declared->decl_begin()))
        used = variable->getType()->getAsCXXRecordDecl();
    if (onetbb_name(used).empty() ||
        source_.changes.is_claimed(source_.sources, statement->getBeginLoc()))
      return true;
    source_.changes.expect(source_.sources, statement->getBeginLoc(),
                           "it is in a template that nothing here instantiates");
    return false;
  });
}

// Whether a call is a statement of its own.
static bool is_statement(const clang::Expr *call, const Path &path) {
  const clang::Stmt *child = call;
  for (std::size_t i = path.size(); i-- > 0;) {
    const clang::Stmt *parent = path[i];
    if (isa<clang::ExprWithCleanups, clang::ImplicitCastExpr, clang::CXXBindTemporaryExpr>(
            parent)) {
      child = parent;
      continue;
    }
    if (isa<clang::CompoundStmt>(parent)) return true;
    if (auto *loop = dyn_cast<clang::ForStmt>(parent)) return loop->getBody() == child;
    if (auto *loop = dyn_cast<clang::CXXForRangeStmt>(parent)) return loop->getBody() == child;
    if (auto *loop = dyn_cast<clang::WhileStmt>(parent)) return loop->getBody() == child;
    if (auto *choice = dyn_cast<clang::IfStmt>(parent)) return choice->getCond() != child;
    return false;
  }
  return false;
}

// Whether the innermost lambda around a call has some, beside the call.
static bool has_parallel_code(const Path &path) {
  const auto lambda = std::find_if(path.rbegin(), path.rend(), [](const clang::Stmt *around) {
    return isa<clang::LambdaExpr>(around);
  });
  if (lambda == path.rend()) return false;
  bool has = false;
  walk(body_of(cast<clang::LambdaExpr>(*lambda)), [&](const clang::Stmt *inner) {
    auto *other = dyn_cast<clang::CallExpr>(inner);
    const llvm::StringRef called = other == nullptr ? "" : onetbb_name(other->getDirectCallee());
    has |= called.starts_with("parallel_") || called == "run" || called == "run_and_wait";
    return !has;
  });
  return has;
}

void OneTBB::call(const clang::CallExpr *call, const Path &path) {
  const llvm::StringRef name = onetbb_name(call->getDirectCallee());
  if (name.empty() || isa<clang::CXXMemberCallExpr, clang::CXXOperatorCallExpr>(call)) return;
  if (source_.in_system_header(call->getBeginLoc())) return;
  if (name == "parallel_for") return parallel_for(call, is_statement(call, path));
  if (name == "parallel_reduce" || name == "parallel_deterministic_reduce")
    return parallel_reduce(call);
  static const std::map<llvm::StringRef, llvm::StringRef> kAlgorithms{
      {"parallel_for_each", "cilk::for_each"},
      {"parallel_invoke", "cilk::invoke"},
      {"parallel_sort", "cilk::sort"}};
  static const std::set<llvm::StringRef> kRefused{"parallel_scan", "parallel_pipeline", "isolate"};
  Construct unit(source_, call->getBeginLoc());
  // Of this_task_arena. A slot is a number that no other thread has at the time.
  static const std::map<llvm::StringRef, llvm::StringRef> kSlots{
      {"current_thread_index", "__cilkrts_get_worker_number()"},
      {"max_concurrency", "__cilkrts_get_nworkers()"}};
  if (auto row = kSlots.find(name); row != kSlots.end()) {
    if (has_parallel_code(path))
      unit.refuse(call->getBeginLoc(),
                  "the body has parallel code of its own, in which another strand may get this "
                  "number");
    unit.replace(call->getSourceRange(), row->second);
    unit.need("<cilk/cilk_api.h>");
    unit.depend(kThreadsAreMade);
    unit.depend(kOthersStay);
    return unit.commit("call");
  }
  if (kRefused.count(name) != 0) {
    unit.refuse(call->getBeginLoc(), name + " has no counterpart that takes the same body");
    return unit.commit("call");
  }
  auto row = kAlgorithms.find(name);
  if (row == kAlgorithms.end()) return;
  const std::vector<const clang::Expr *> arguments = arguments_of(unit, call);
  if (name == "parallel_invoke" && is_statement(call, path)) {
    // Each function but the last is spawned.
    const std::string indentation = source_.indentation(call->getBeginLoc());
    unit.replace(
        clang::CharSourceRange::getCharRange(call->getBeginLoc(), arguments.front()->getBeginLoc()),
        "cilk_scope {\n" + indentation + "  ");
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      spawn(unit, nullptr, arguments[i], i + 1 < arguments.size());
      const clang::SourceLocation end = source_.range(arguments[i]->getSourceRange()).getEnd();
      if (i + 1 < arguments.size())
        unit.replace(clang::CharSourceRange::getCharRange(end, arguments[i + 1]->getBeginLoc()),
                     "\n" + indentation + "  ");
      else
        unit.replace(clang::CharSourceRange::getCharRange(end, source_.end(call)),
                     "\n" + indentation + "}");
    }
    unit.need("<cilk/cilk.h>");
    return unit.commit("call");
  }
  if (name == "parallel_for_each") {
    const clang::LambdaExpr *body = lambda_of(arguments.back());
    if (body != nullptr && body->getCallOperator()->getNumParams() != 1)
      unit.refuse(call->getBeginLoc(), "the body feeds new elements to the loop");
    // Elements must be in reach by their number.
    const clang::QualType type = arguments.front()->getType().getNonReferenceType();
    const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
    static const std::set<llvm::StringRef> kNot{"list",
                                                "forward_list",
                                                "map",
                                                "set",
                                                "multimap",
                                                "multiset",
                                                "_List_iterator",
                                                "_List_const_iterator",
                                                "_Rb_tree_iterator",
                                                "_Rb_tree_const_iterator",
                                                "unordered_map",
                                                "unordered_set"};
    if (record != nullptr && record->getIdentifier() != nullptr &&
        kNot.count(record->getName()) != 0)
      unit.refuse(call->getBeginLoc(), "its elements have no random access: spawn for each one");
  }
  unit.replace(call->getCallee()->getSourceRange(), row->second);
  unit.need("<cilk/algorithm.h>");
  if (!unit.is_refused() && arguments.size() < call->getNumArgs() &&
      !call->getArg(call->getNumArgs() - 1)->isDefaultArgument())
    unit.refuse(call->getBeginLoc(), "a partitioner here has no counterpart");
  unit.commit("call");
}

void OneTBB::variable(const clang::VarDecl *variable, const clang::DeclStmt *statement) {
  if (variable->getType()->isReferenceType() || variable->getType()->isPointerType()) return;
  const llvm::StringRef type = class_name(variable->getType());
  if (type == "task_group") return task_group(variable, statement);
  if (type == "enumerable_thread_specific" || type == "combinable")
    return thread_specific(variable, statement);
  if (type.ends_with("_partitioner")) return partitioner(variable, statement);
  if (type != "global_control" && type != "task_arena" && type != "task_scheduler_init" &&
      type != "isolated_task_group" && type != "structured_task_group")
    return;
  Construct unit(source_, variable->getBeginLoc());
  unit.refuse(variable->getBeginLoc(),
              type == "global_control"
                  ? "CILK_NWORKERS, or __cilkrts_set_param, says how many workers there are"
                  : type + " has no counterpart: all spawns share the workers");
  unit.commit("variable");
}

// A partitioner goes with the last call that takes it.
void OneTBB::partitioner(const clang::VarDecl *variable, const clang::DeclStmt *statement) {
  unsigned references = 0;
  for (const Use &use : uses_in(function_->getBody()))
    references += use.variable == variable && !use.is_capture;
  if (references != partitioners_[variable]) return;
  Construct unit(source_, statement->getBeginLoc());
  remove(unit, statement);
  unit.commit("partitioner");
}

void OneTBB::remove(Construct &unit, const clang::DeclStmt *statement) {
  if (!statement->isSingleDecl())
    return unit.refuse(statement->getBeginLoc(), "one statement declares several variables");
  unit.remove_statement(statement);
}

// The one statement of a lambda, if it may stand in its place: a call, or an assignment of a call's
// result, in which nothing refers to a copy that the lambda holds.
static const clang::Expr *only_statement(const clang::LambdaExpr *lambda,
                                         const clang::CallExpr *&call) {
  auto *body = dyn_cast<clang::CompoundStmt>(body_of(lambda));
  if (body == nullptr || body->size() != 1 || lambda->isMutable()) return nullptr;
  auto *whole = dyn_cast<clang::Expr>(body->body_front());
  if (whole == nullptr) return nullptr;
  call = spawnable_call(whole);
  // One of this library's becomes something else.
  if (call == nullptr || !onetbb_name(call->getDirectCallee()).empty()) return nullptr;
  for (const clang::LambdaCapture &capture : lambda->captures()) {
    if (lambda->isInitCapture(&capture)) return nullptr;
    if (!capture.capturesVariable() || capture.getCaptureKind() != clang::LCK_ByCopy) continue;
    for (const Use &use : uses_in(body))
      if (use.variable == capture.getCapturedVar() &&
          (use.kind != Use::kRead || is_of_object(call, use.reference)))
        return nullptr;
  }
  return whole;
}

// `body` called as a statement; `whole` is the expression that is replaced, null if it is `body`.
void OneTBB::spawn(Construct &unit, const clang::Expr *whole, const clang::Expr *body,
                   bool is_spawned) {
  const std::string keyword = is_spawned ? "cilk_spawn " : "";
  const clang::Expr *outer = whole == nullptr ? body : whole;
  const clang::SourceLocation begin = outer->getBeginLoc();
  const clang::SourceLocation end = source_.range(outer->getSourceRange()).getEnd();
  const auto replace = [&](clang::SourceLocation from, clang::SourceLocation to,
                           const llvm::Twine &text) {
    if (from != to || !text.isTriviallyEmpty())
      unit.replace(clang::CharSourceRange::getCharRange(from, to), text);
  };
  const std::string semicolon = whole == nullptr ? ";" : "";
  const clang::LambdaExpr *lambda = lambda_of(body);
  if (lambda == nullptr) {
    // A function, or an object that nothing changes meanwhile.
    const clang::Expr *function = body->IgnoreUnlessSpelledInSource();
    if (auto *address = dyn_cast<clang::UnaryOperator>(function);
        address != nullptr && address->getOpcode() == clang::UO_AddrOf)
      function = address->getSubExpr();
    auto *reference = dyn_cast<clang::DeclRefExpr>(function);
    auto *variable =
        reference == nullptr ? nullptr : dyn_cast<clang::VarDecl>(reference->getDecl());
    if (reference == nullptr)
      return unit.refuse(body->getBeginLoc(), "what is run is neither a lambda nor a function");
    // A group has a copy of an object, which may end before the group waits.
    if (variable != nullptr && whole != nullptr && variable->hasLocalStorage()) {
      const std::string name = variable->getName().str();
      return replace(begin, end, keyword + "[" + name + "] { " + name + "(); }()" + semicolon);
    }
    return replace(begin, end, keyword + source_.text(function) + "()" + semicolon);
  }
  const clang::CallExpr *call = nullptr;
  const clang::Expr *only = only_statement(lambda, call);
  if (only != nullptr && !source_.has_directive(lambda->getSourceRange())) {
    replace(begin, only->getBeginLoc(), "");
    if (is_spawned) unit.before(call->getBeginLoc(), keyword);
    const clang::SourceLocation only_end = source_.range(only->getSourceRange()).getEnd();
    return replace(only_end, end, semicolon);
  }
  const clang::SourceLocation lambda_end = source_.range(lambda->getSourceRange()).getEnd();
  if (begin == lambda->getBeginLoc())
    unit.before(begin, keyword);
  else
    replace(begin, lambda->getBeginLoc(), keyword);
  if (lambda_end == end)
    unit.after(end, "()" + semicolon);
  else
    replace(lambda_end, end, "()" + semicolon);
}

// Whether a statement is a reference to the variable. A capture's initializer is no use of its own.
static bool is_use(const clang::Stmt *statement, const Path &path, const clang::VarDecl *variable) {
  auto *reference = dyn_cast<clang::DeclRefExpr>(statement);
  const bool is_capture = !path.empty() && isa<clang::LambdaExpr>(path.back());
  return reference != nullptr && reference->getDecl() == variable && !is_capture;
}

// The call of one of the variable's member functions that a statement is, or null.
static const clang::CXXMemberCallExpr *call_of(const clang::Stmt *statement,
                                               const clang::VarDecl *variable) {
  auto *call = dyn_cast<clang::CXXMemberCallExpr>(statement);
  auto *object =
      call == nullptr
          ? nullptr
          : dyn_cast<clang::DeclRefExpr>(call->getImplicitObjectArgument()->IgnoreParenImpCasts());
  return object != nullptr && object->getDecl() == variable ? call : nullptr;
}

// A group whose tasks all end in the function that declares it: its runs are spawns, its waits
// syncs.
void OneTBB::task_group(const clang::VarDecl *group, const clang::DeclStmt *statement) {
  Construct unit(source_, statement->getBeginLoc());
  remove(unit, statement);
  struct Found {
    const clang::CXXMemberCallExpr *call;
    std::string name;
    const clang::Stmt *lambda, *attempt;  // the innermost ones around it
  };
  std::vector<Found> calls;
  std::size_t references = 0;
  const clang::Stmt *home = nullptr;
  walk(function_->getBody(), [&](const clang::Stmt *found, const Path &path) {
    const clang::Stmt *lambda = nullptr, *attempt = nullptr;
    for (const clang::Stmt *outer : path) {
      if (isa<clang::LambdaExpr>(outer)) lambda = outer;
      if (isa<clang::CXXTryStmt>(outer)) attempt = outer;
    }
    if (found == statement) home = lambda;
    references += is_use(found, path, group);
    const clang::CXXMemberCallExpr *call = call_of(found, group);
    if (call == nullptr) return true;
    if (!is_statement(call, path))
      unit.refuse(call->getBeginLoc(), "the result of a wait has no counterpart");
    calls.push_back({call, call->getMethodDecl()->getNameAsString(), lambda, attempt});
    return true;
  });
  if (references != calls.size())
    unit.refuse(statement->getBeginLoc(),
                "the group is handed on: children end with the function "
                "that spawns them");
  for (const Found &found : calls) {
    if (unit.is_refused()) break;
    if (found.lambda != home)
      unit.refuse(found.call->getBeginLoc(),
                  "the group is used in a function that it or another one calls");
    if (found.name == "run") {
      for (const Found &other : calls)
        if (other.name != "run" && other.attempt != nullptr && other.attempt != found.attempt)
          unit.refuse(other.call->getBeginLoc(),
                      "this waits in a try block for what was spawned outside of it");
      spawn(unit, found.call, found.call->getArg(0), true);
    } else if (found.name == "run_and_wait") {
      spawn(unit, found.call, found.call->getArg(0), false);
      unit.after(source_.end(found.call),
                 "\n" + source_.indentation(found.call->getBeginLoc()) + "cilk_sync;");
    } else if (found.name == "wait") {
      unit.replace(found.call->getSourceRange(), "cilk_sync");
    } else {
      unit.refuse(found.call->getBeginLoc(), "'" + found.name + "' has no counterpart");
    }
  }
  unit.need("<cilk/cilk.h>");
  unit.commit("group");
}

// Values that are combined become a reducer; scratch space stays each strand's own.
void OneTBB::thread_specific(const clang::VarDecl *variable, const clang::DeclStmt *statement) {
  Construct unit(source_, statement->getBeginLoc());
  const std::string name = variable->getName().str();
  if (!statement->isSingleDecl())
    unit.refuse(statement->getBeginLoc(), "one statement declares several variables");
  std::string operation;
  std::size_t references = 0, uses = 0;
  std::vector<const clang::CXXMemberCallExpr *> locals, combines;
  bool is_moved = false;
  walk(function_->getBody(), [&](const clang::Stmt *found, const Path &path) {
    references += is_use(found, path, variable);
    const clang::CXXMemberCallExpr *call = call_of(found, variable);
    if (call == nullptr) return true;
    const std::string method = call->getMethodDecl()->getNameAsString();
    ++uses;
    if (method == "local" && call->getNumArgs() == 0) {
      const bool has_moved =
          llvm::any_of(path, [&](const clang::Stmt *outer) { return moved_.count(outer) != 0; });
      is_moved |= has_moved;
      if (!has_moved) locals.push_back(call);
    } else if (method == "combine") {
      const std::string text = source_.text(call->getArg(0));
      const clang::LambdaExpr *lambda = lambda_of(call->getArg(0));
      if ((lambda != nullptr && lambda->capture_size() != 0) ||
          (lambda == nullptr &&
           isa<clang::DeclRefExpr>(call->getArg(0)->IgnoreUnlessSpelledInSource())))
        unit.refuse(call->getBeginLoc(), "the operation must be known where '" + name +
                                             "' is declared: write a monoid for cilk::reducer");
      if (!operation.empty() && operation != text)
        unit.refuse(call->getBeginLoc(), "'" + name + "' is combined in two ways");
      operation = text;
      combines.push_back(call);
    } else {
      unit.refuse(call->getBeginLoc(), "'" + method + "' asks for the threads' own values: make '" +
                                           name + "' a cilk::reducer");
    }
    return true;
  });
  if (references != uses)
    unit.refuse(statement->getBeginLoc(),
                "'" + name + "' is handed on, or its values are visited one by one");
  const auto *specialization =
      dyn_cast<clang::ClassTemplateSpecializationDecl>(variable->getType()->getAsCXXRecordDecl());
  if (specialization == nullptr || unit.is_refused()) return unit.commit("specific");
  // The type as it is written: between the first < and its >, as far as the first comma outside.
  std::string type;
  const std::string declared =
      source_.text(variable->getTypeSourceInfo()->getTypeLoc().getSourceRange());
  int depth = 0;
  for (std::size_t i = declared.find('<'); i < declared.size(); ++i) {
    const char c = declared[i];
    depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    if (depth == 0 || (depth == 1 && c == ',')) break;
    if (!(depth == 1 && c == '<')) type += c;
  }
  std::string initial;
  const clang::Expr *value = variable->getInit();
  if (auto *cleanups = llvm::dyn_cast_or_null<clang::ExprWithCleanups>(value))
    value = cleanups->getSubExpr();
  if (auto *construct = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(value);
      construct != nullptr && construct->getNumArgs() == 1 &&
      !construct->getArg(0)->isDefaultArgument())
    initial = source_.text(construct->getArg(0));
  else if (construct != nullptr && construct->getNumArgs() > 1 &&
           !construct->getArg(1)->isDefaultArgument())
    unit.refuse(statement->getBeginLoc(), "its values are made from several arguments");
  const bool is_lambda = value != nullptr && !initial.empty() &&
                         lambda_of(cast<clang::CXXConstructExpr>(value)->getArg(0)) != nullptr;
  if (is_lambda) initial = "(" + initial + ")()";
  std::string text;
  if (operation.empty() && initial.empty())
    text = "cilk::scratch<" + type + "> " + name;
  else if (operation.empty())
    text = "cilk::reducer " + name + "(cilk::monoid_of(" + type + "(" + initial + "), [](" + type +
           " left, " + type + ") { return left; }))";
  else
    text = "cilk::reducer " + name + "(cilk::monoid_of(" + type + "(" + initial + "), " +
           operation + "))";
  const clang::SourceLocation end = source_.range(variable->getSourceRange()).getEnd();
  unit.replace(clang::CharSourceRange::getCharRange(statement->getBeginLoc(), end), text);
  for (const clang::CXXMemberCallExpr *call : locals) {
    const clang::SourceLocation call_end = source_.range(call->getSourceRange()).getEnd();
    const llvm::StringRef rest =
        call_end.isValid() ? source_.sources.getCharacterData(call_end) : "";
    if (rest.starts_with("."))
      unit.replace(
          clang::CharSourceRange::getCharRange(call->getBeginLoc(), call_end.getLocWithOffset(1)),
          name + "->");
    else if (rest.starts_with("[") || rest.starts_with("("))
      unit.replace(call->getSourceRange(), "(*" + name + ")");
    else
      unit.replace(call->getSourceRange(), "*" + name);
  }
  for (const clang::CXXMemberCallExpr *call : combines)
    unit.replace(call->getSourceRange(), "*" + name);
  unit.need("<cilk/reducer.h>");
  if (is_moved) unit.rename(name + ".local()", "*" + name);
  unit.commit("specific");
}

}  // namespace nopal::migrate
