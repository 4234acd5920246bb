// nopal-migrate: rewrites OpenMP, oneTBB and Cilk Plus into Nopal's keywords and library.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../clang-plugin/driver/Arguments.h"
#include "changes.h"
#include "check.h"
#include "cilk_plus.h"
#include "directives.h"
#include "leftovers.h"
#include "new_text.h"
#include "onetbb.h"
#include "openmp.h"

#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Tooling/CommonOptionsParser.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace nopal::migrate {
namespace {

namespace cl = llvm::cl;
using namespace clang::ast_matchers;

cl::OptionCategory category("nopal-migrate options");
cl::opt<bool> in_place("in-place",
                       cl::desc("Rewrite the files, instead of printing a diff; -i is the same."),
                       cl::cat(category));
cl::alias in_place_short("i", cl::desc("The same as --in-place."), cl::aliasopt(in_place),
                         cl::cat(category));
cl::opt<bool> no_comments("no-comments",
                          cl::desc("Print why something stays, but leave no comment in the file."),
                          cl::cat(category));
cl::list<std::string> headers("headers", cl::desc("Change headers in this folder, too."),
                              cl::value_desc("folder"), cl::cat(category));
cl::extrahelp help(
    "\nThe files are compiled as their options say: after --, or from compile_commands.json (-p).\n"
    "-fopenmp is added. Only the files that the tool is called with, and headers of theirs in the\n"
    "same folder, below it or in those of --headers, are changed.\n\n"
    "Exit status: 0 if all was rewritten, 1 if something stays, 2 if a file does not compile.\n");

// The folders whose files may be changed: those of the files that the tool was called with.
std::set<std::string> folders;

bool is_users(const Source &source, clang::SourceLocation location) {
  if (source.in_system_header(location)) return false;
  llvm::SmallString<256> path(source.sources.getFilename(source.sources.getExpansionLoc(location)));
  source.sources.getFileManager().makeAbsolutePath(path);
  llvm::sys::path::remove_dots(path, true);
  return llvm::any_of(folders, [&](const std::string &folder) { return path.starts_with(folder); });
}

/// Finds the functions that have something to rewrite.
class Functions : public MatchFinder::MatchCallback {
 public:
  explicit Functions(Changes &changes) : changes_(changes) {}

  void run(const MatchFinder::MatchResult &result) override {
    auto *function = result.Nodes.getNodeAs<clang::FunctionDecl>("function");
    Source source(*result.Context, changes_);
    if (!is_users(source, function->getLocation())) return;
    // A lambda belongs to the function that has it, if one has.
    if (auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
        method != nullptr && method->getParent()->isLambda() &&
        method->getParent()->getParentFunctionOrMethod() != nullptr)
      return;
    if (function->isDependentContext()) {
      patterns_.push_back(function);
      return;
    }
    OpenMP(source, function).run();
    OneTBB(source, function).run();
  }

  void onEndOfTranslationUnit() override {
    for (const clang::FunctionDecl *function : patterns_) {
      Source source(function->getASTContext(), changes_);
      OpenMP(source, function).refuse_unclaimed();
      OneTBB(source, function).refuse_unclaimed();
    }
    patterns_.clear();
  }

 private:
  Changes &changes_;
  std::vector<const clang::FunctionDecl *> patterns_;
};

class Action : public clang::ASTFrontendAction {
 public:
  explicit Action(Changes &changes) : changes_(changes), functions_(changes) {
    const auto openmp_call = callExpr(callee(functionDecl(matchesName("^::omp_"))));
    const auto onetbb_use =
        expr(anyOf(callExpr(callee(functionDecl(matchesName("^::tbb::")))),
                   cxxConstructExpr(hasType(cxxRecordDecl(matchesName("^::tbb::"))))));
    finder_.addMatcher(functionDecl(isDefinition(), unless(isExpansionInSystemHeader()),
                                    anyOf(hasDescendant(ompExecutableDirective()),
                                          hasDescendant(openmp_call), hasDescendant(onetbb_use)))
                           .bind("function"),
                       &functions_);
  }
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance &compiler,
                                                        llvm::StringRef) override {
    auto directives = std::make_unique<Directives>(compiler.getSourceManager(), changes_);
    directives_ = directives.get();
    compiler.getPreprocessor().addPPCallbacks(std::move(directives));
    return finder_.newASTConsumer();
  }
  void EndSourceFileAction() override {
    if (getCompilerInstance().getDiagnostics().hasErrorOccurred()) return;
    Source source(getCompilerInstance().getASTContext(), changes_);
    const clang::SourceManager &sources = source.sources;
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end(); ++file) {
      const clang::FileID id = sources.translateFile(file->first);
      if (id.isValid() && is_users(source, sources.getLocForStartOfFile(id)))
        rewrite_keywords(source, id);
    }
    rewrite_reducers(source, is_users);
    expect_leftovers(source, is_users);
    directives_->rewrite(source, is_users);
  }

 private:
  Changes &changes_;
  Functions functions_;
  MatchFinder finder_;
  Directives *directives_ = nullptr;  // the preprocessor's
};

class Actions : public clang::tooling::FrontendActionFactory {
 public:
  explicit Actions(Changes &changes) : changes_(changes) {}
  std::unique_ptr<clang::FrontendAction> create() override {
    return std::make_unique<Action>(changes_);
  }

 private:
  Changes &changes_;
};

// Prints the difference as `diff -u` does.
bool print_diff(const std::string &path, const std::string &text) {
  llvm::ErrorOr<std::string> diff = llvm::sys::findProgramByName("diff");
  if (!diff) {
    llvm::errs() << "nopal-migrate: no diff of " << path << ": install diffutils\n";
    return false;
  }
  int descriptor = -1;
  llvm::SmallString<128> temporary;
  if (llvm::sys::fs::createTemporaryFile("nopal-migrate", "txt", descriptor, temporary)) {
    llvm::errs() << "nopal-migrate: no diff of " << path << ": cannot write a temporary file\n";
    return false;
  }
  llvm::raw_fd_ostream(descriptor, true) << text;
  const bool is_printed =
      llvm::sys::ExecuteAndWait(
          *diff, {"diff", "-u", "--label", path, "--label", path, path, temporary.str()}) == 1;
  llvm::sys::fs::remove(temporary);
  if (!is_printed) llvm::errs() << "nopal-migrate: cannot print the diff of " << path << "\n";
  return is_printed;
}

int write(Changes &changes) {
  int status = 0;
  for (auto &[path, file] : changes.files()) {
    const std::string text = NewText(file, !no_comments).text();
    for (const Outcome &outcome : file.outcomes) {
      if (!outcome.note) continue;
      const Note &note = *outcome.note;
      llvm::errs() << path << ":" << note.line << ":" << note.column
                   << ": not rewritten: " << note.reason << "\n";
      status = std::max(status, 1);
    }
    if (text == file.text) continue;
    if (!in_place) {
      llvm::outs().flush();
      if (!print_diff(path, text)) status = 2;
      continue;
    }
    std::error_code error;
    llvm::raw_fd_ostream out(path, error);
    if (!error) out << text;
    if (error || (out.close(), out.has_error())) {
      llvm::errs() << "nopal-migrate: cannot write " << path << ": "
                   << (error ? error : out.error()).message() << "\n";
      out.clear_error();
      status = 2;
    }
  }
  return status;
}

// What makes a program of any of the three systems compile here.
clang::tooling::ArgumentsAdjuster arguments_adjuster(const std::string &self) {
  return [self](const clang::tooling::CommandLineArguments &given, llvm::StringRef) {
    clang::tooling::CommandLineArguments arguments;
    for (const std::string &argument : nopal::sortArguments(given, true).ForClang)
      if (argument != "-fopenmp") arguments.push_back(argument);
    auto place = arguments.begin() + 1;
    llvm::SmallString<256> installed(llvm::sys::path::parent_path(self));
    llvm::sys::path::append(installed, "..", "include");
    // Keywords of Cilk are nothing to the parser: what they mean is not asked.
    for (const char *option :
         {"-fopenmp", "-DCILK_SERIAL", "-D_Cilk_spawn=", "-D_Cilk_sync=", "-D_Cilk_for=for",
          "-D_Cilk_scope=", "-D__NOPAL_CILK_PLUS__", "-Wno-everything"}) {
      place = arguments.insert(place, option) + 1;
    }
    place = arguments.insert(place, "-resource-dir=" NOPAL_RESOURCES) + 1;
    place = arguments.insert(place, "-idirafter") + 1;
    arguments.insert(place, std::string(installed));
    return arguments;
  };
}

int run(int argc, const char **argv) {
  auto options = clang::tooling::CommonOptionsParser::create(
      argc, argv, category, cl::OneOrMore, "Rewrites OpenMP, oneTBB and Cilk Plus into Nopal.");
  if (!options) {
    llvm::errs() << llvm::toString(options.takeError());
    return 2;
  }
  const auto add_folder = [](llvm::SmallString<256> path) {
    llvm::sys::fs::make_absolute(path);
    llvm::sys::path::remove_dots(path, true);
    folders.insert(std::string(path) + "/");
  };
  for (const std::string &path : options->getSourcePathList()) {
    llvm::SmallString<256> file(path);
    llvm::sys::fs::make_absolute(file);
    add_folder(llvm::SmallString<256>(llvm::sys::path::parent_path(file)));
  }
  for (const std::string &folder : headers) add_folder(llvm::SmallString<256>(folder));
  clang::tooling::ClangTool tool(options->getCompilations(), options->getSourcePathList());
  static int anchor;
  const std::string self = llvm::sys::fs::getMainExecutable(argv[0], &anchor);
  tool.appendArgumentsAdjuster(arguments_adjuster(self));
  Changes changes;
  Actions actions(changes);
  if (tool.run(&actions) != 0) {
    llvm::errs() << "nopal-migrate: nothing was written, since the files must compile; their "
                    "options stand after --, or in compile_commands.json (-p)\n";
    return 2;
  }
  std::vector<clang::tooling::CompileCommand> commands;
  for (const std::string &path : options->getSourcePathList())
    for (const clang::tooling::CompileCommand &command :
         options->getCompilations().getCompileCommands(clang::tooling::getAbsolutePath(path)))
      commands.push_back(command);
  changes.refuse_unclaimed();
  changes.settle();
  check(changes, !no_comments, llvm::sys::path::parent_path(self).str(), commands);
  return write(changes);
}

}  // namespace
}  // namespace nopal::migrate

int main(int argc, const char **argv) { return nopal::migrate::run(argc, argv); }
