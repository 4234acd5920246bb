// walk: counts the lines, words and bytes of all files of a tree of directories, and its most
// frequent words, with a spawned child for each directory. Lines, words and bytes are those of
// wc(1) in the C locale, the files those of `find DIR -type f`.
//
//   nopal-clang++ -std=c++20 -O2 walk/*.cpp -o walk && ./walk /usr/include
//   CILK_STATS=1 CILK_NWORKERS=4 ./walk /usr/include         with a table of what the workers did
//
// Exit status: 0; 1 if something could not be read (the rest is counted, and what is missing is
// listed); 2 for a wrong option.
//
// Files: main.cpp (options), walk.cpp (the spawns), tally.cpp (reading and counting),
// word_table.cpp (the words), report.cpp (printing).
//
// matrix: args --top 10 {tree}
// matrix: flags -std=c++20
#include <getopt.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "report.h"
#include "walk.h"

namespace {

struct Options {
  std::string path = "/usr/include";
  std::size_t top = 20;
  bool json = false;
};

void print_usage(FILE *out, const char *program) {
  std::fprintf(out,
               "usage: %s [options] [DIR]\n"
               "Counts the lines, words and bytes of all files below DIR (default /usr/include), "
               "in parallel.\n"
               "  -t, --top N   how many of the most frequent words to show (default 20)\n"
               "  -j, --json    print one JSON object\n"
               "  -h, --help    print this and exit\n"
               "CILK_NWORKERS=N sets the number of workers, CILK_STATS=1 shows what they did.\n",
               program);
}

[[noreturn]] void refuse(const char *program, const std::string &message) {
  std::fprintf(stderr, "%s: %s\n", program, message.c_str());
  print_usage(stderr, program);
  std::exit(2);
}

std::size_t parse_count(const char *program, const char *text) {
  char *end = nullptr;
  errno = 0;
  long long value = std::strtoll(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < 0) {
    refuse(program, std::string("--top takes a number that is not negative, not '") + text + "'");
  }
  return static_cast<std::size_t>(value);
}

Options parse_options(int argc, char **argv) {
  const option long_options[] = {{"top", required_argument, nullptr, 't'},
                                 {"json", no_argument, nullptr, 'j'},
                                 {"help", no_argument, nullptr, 'h'},
                                 {nullptr, 0, nullptr, 0}};
  Options options;
  for (int letter; (letter = getopt_long(argc, argv, "t:jh", long_options, nullptr)) != -1;) {
    switch (letter) {
      case 't':
        options.top = parse_count(argv[0], optarg);
        break;
      case 'j':
        options.json = true;
        break;
      case 'h':
        print_usage(stdout, argv[0]);
        std::exit(0);
      default:
        print_usage(stderr, argv[0]);
        std::exit(2);
    }
  }
  if (optind < argc) options.path = argv[optind++];
  if (optind < argc)
    refuse(argv[0], std::string("one directory at a time; '") + argv[optind] + "' is too many");
  return options;
}

}  // namespace

int main(int argc, char **argv) {
  const Options options = parse_options(argc, argv);
  const auto start = std::chrono::steady_clock::now();
  const Tally tally = walk(options.path);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  (options.json ? print_json : print_report)(options.path, tally, options.top);
  std::fprintf(stderr, "counted in %.3f s\n", seconds.count());

  std::uint64_t counted = 0;
  for (const WordTable::Entry &entry : tally.word_counts.entries()) counted += entry.count;
  if (counted != tally.words) {
    std::fprintf(stderr, "walk: wrong: %ju words, but their counts add up to %ju\n",
                 std::uintmax_t{tally.words}, std::uintmax_t{counted});
    return 3;
  }
  return tally.problems.empty() ? 0 : 1;
}
