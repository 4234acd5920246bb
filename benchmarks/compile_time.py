#!/usr/bin/env python3
"""What the plugin adds to the time of a compilation: nopal-clang++ -O2 against clang++-22 -O2,
interleaved.

    python3 benchmarks/compile_time.py [--driver build/bin/nopal-clang++] [--clang clang++-22]
                                       [--rounds 5] [--json FILE] [--quick]

Ten generated C++ files without keywords, full of headers and instantiations, for which the ratio is
to be at most 1.10 (reported, never judged: a timing is no test), and the repository's own programs,
which are reported: there the plain compiler compiles the serial elision. Then functions of 250,
1,000 and 2,000 spawns, in user time a spawn beyond the elision's (to be at most 3 ms, and equal
within 1.5 times), and 3,000 instantiations of templates with lambdas, of which none or a tenth
spawn (to be at most 1.05 and 1.3 times the elision's). Seconds are user and system time of the
compiler's processes, and instructions (user) if `perf stat` may count them: those hardly depend on
what else the machine does. --quick: one round of two files, to see that it works. """
import argparse
import json
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
BOUND = 1.10

# Name, headers, and a piece that is repeated with N replaced by a number.
FILES = {
    "regex": (["regex", "string"], 4, r"""
bool fN(const std::string &s) { std::basic_regex<char> r("(a|b)*cN[0-9]+"); std::smatch m;
  return std::regex_search(s, m, r) && m.size() > N; }
std::wstring gN(const std::wstring &s) { return std::regex_replace(s, std::wregex(L"xN+"), L"y");
  }"""),
    "maps": (["map", "unordered_map", "string", "set"], 10, r"""
struct KN { int k; bool operator<(const KN &o) const { return k < o.k; } };
long fN(const std::map<KN, std::string> &m) { std::map<KN, std::set<KN>> r;
  for (auto &[k, v] : m) r[k].insert({k.k + (int)v.size()}); return (long)r.size(); }
long gN(long n) { std::unordered_map<long, KN> m; for (long i = 0; i < n; ++i) m.emplace(i, KN{N});
  m.erase(N); return (long)m.size(); }"""),
    "algorithms": (["algorithm", "vector", "numeric"], 5, r"""
struct VN { int a, b; };
void fN(std::vector<VN> &v) { std::sort(v.begin(), v.end(), [](auto &x, auto &y) {
  return x.a < y.a; }); std::stable_sort(v.begin(), v.end(), [](auto &x, auto &y) {
  return x.b < y.b; });
  std::nth_element(v.begin(), v.begin() + v.size() / 2, v.end(), [](auto &x, auto &y) {
  return x.a + N < y.b; }); std::rotate(v.begin(), v.begin() + v.size() / 3, v.end()); }"""),
    "functions": (["functional", "vector", "memory", "string"], 25, r"""
template <int I> struct TN { std::function<long(long)> f = [](long x) { return x * I + N; }; };
long fN(long n) { std::vector<std::function<long(long)>> v; v.push_back(TN<1>().f);
  v.push_back(TN<2>().f); v.push_back([n](long x) { return x - n; });
  auto p = std::make_shared<std::vector<long>>(); for (auto &f : v) p->push_back(f(n));
  return p->back(); }"""),
    "variants": (["variant", "tuple", "optional", "string", "vector"], 15, r"""
struct AN { long a; }; struct BN { std::string s; }; struct CN { std::vector<int> v; };
long fN(std::variant<AN, BN, CN> a, std::variant<CN, AN, BN> b) {
  return std::visit([](auto &x, auto &y) -> long { return sizeof x * N + sizeof y; }, a, b); }
auto gN(int i) { return std::tuple_cat(std::make_tuple(AN{i}, i), std::tuple<BN,
  std::optional<CN>>{}); }
long hN() { return std::get<1>(gN(N)); }"""),
    "ranges": (["ranges", "vector", "algorithm", "string"], 4, r"""
long fN(const std::vector<int> &v) { long s = 0; for (auto x : v | std::views::filter([](int i) {
  return i % (N + 2) == 0; }) | std::views::transform([](int i) { return (long)i * N; })
  | std::views::take(N + 5) | std::views::reverse) s += x; return s; }
void gN(std::vector<std::string> &v) { std::ranges::sort(v, {}, [](auto &s) { return s.size() + N;
  }); }"""),
    "streams": (["iostream", "sstream", "iomanip", "fstream", "filesystem", "chrono"], 30, r"""
std::string fN(double d, std::chrono::milliseconds t) { std::ostringstream o;
  o << std::setprecision(N + 1) << d << t.count(); return o.str(); }
long gN(const std::filesystem::path &p) { long n = 0;
  for (auto &e : std::filesystem::directory_iterator(p)) n += e.path().string().size() > N;
  return n; }"""),
    "arithmetic": (["cmath", "complex", "array"], 30, r"""
template <class T> struct MN { std::array<std::array<T, 6>, 6> m; MN operator*(const MN &o) const {
  MN r{}; for (int i = 0; i < 6; ++i) for (int j = 0; j < 6; ++j) for (int k = 0; k < 6;
  ++k) r.m[i][j] += m[i][k] * o.m[k][j]; return r; } };
void fN(MN<double> &a, MN<float> &b, MN<std::complex<double>> &c) { a = a * a; b = b * b;
  c = c * c; for (auto &r : a.m) for (auto &x : r) x = std::sin(x) + N; }"""),
    "recursion": (["utility", "type_traits", "tuple"], 40, r"""
template <int I> struct RN { template <class... T> static long sum(T... t) {
  return RN<I - 1>::sum(t..., std::integral_constant<int, I>()) + (0 + ... + (long)t); } };
template <> struct RN<0> { template <class... T> static long sum(T... t) {
  std::tuple<T...> all(t...); return std::apply([](auto... x) { return (N + ... + (long)x);
  }, all); } };
long fN() { return RN<24>::sum(); }"""),
    "containers": (["list", "deque", "queue", "stack", "forward_list", "string", "vector", "thread",
                    "mutex", "future"], 6, r"""
struct EN { std::string s; long n; bool operator<(const EN &o) const { return n < o.n; } };
long fN(long n) { std::list<EN> l; std::deque<EN> d; std::priority_queue<EN> q; for (long i = 0;
  i < n; ++i) { l.push_back({"N", i}); d.push_front({"N", i}); q.push({"x", -i}); }
  l.sort(); auto f = std::async([&] { return (long)d.size(); });
  return (long)l.size() + f.get() + q.top().n + N; }"""),
}


# A function of many spawns: what precedes them, one of them, and what follows.
MANY_SPAWNS = {
    "straight": ("long f(long, long);\nvoid g(long *r, long k) {", "r[N] = cilk_spawn f(k, N);",
                 "cilk_sync; }"),
    "destructors": (
        "struct S { long v; S(long); ~S(); };\nlong f(S, long);\nlong q(long);\nlong g(long k, "
        "long *r) { long s = k; S t(k);",
                    "r[N] = cilk_spawn f(S(k + N), N); s += q(s);", "cilk_sync; return s; }"),
}
SPAWN_COUNTS = (250, 1000, 2000)
MOST_MS, MOST_GROWTH = 3, 1.5

TEMPLATES = """#include <cilk/cilk.h>
#include <vector>
#define REDUCE(NAME, SPAWN) template <int I, class It, class F> long NAME(It b, It e, F f) { \\
  if (e - b < 100) { long s = 0; for (; b != e; ++b) s += f(*b); return s; } \\
  It m = b + (e - b) / 2; long x = SPAWN NAME<I>(b, m, f); long y = NAME<I>(m, e, f); \\
  cilk_sync; return x + y + I; }
"""
INSTANCE = ("long use{0}(std::vector<long> &v) {{ long k = v.size(); "
            "return {1}<{0}>(v.begin(), v.end(), [k](long x) {{ return x * k + {0}; }}); }}\n")


def generate_templates(folder, count, spawning):
    """A file of `count` instantiations, of which a tenth spawns if `spawning`."""
    text = TEMPLATES.replace("cilk_sync; ", "") + "REDUCE(serial, )\n"
    if spawning:
        text += TEMPLATES[TEMPLATES.index("#define"):].replace("REDUCE", "SPREAD")
        text += "SPREAD(parallel, cilk_spawn)\n"
    text += "".join(INSTANCE.format(i, "parallel" if spawning and i % 10 == 0 else "serial")
                    for i in range(count))
    path = folder / f"templates-{'a-tenth-spawns' if spawning else 'none-spawns'}.cpp"
    path.write_text(text)
    return path


def generate_spawns(folder):
    """Writes the functions of many spawns; returns their paths by name and number of spawns."""
    paths = {}
    for name, (before, spawn, after) in MANY_SPAWNS.items():
        for count in SPAWN_COUNTS:
            paths[name, count] = folder / f"{name}-{count}.cpp"
            spawns = (spawn.replace("N", str(i)) for i in range(count))
            paths[name, count].write_text(
                "\n".join(["#include <cilk/cilk.h>", before, *spawns, after, ""]))
    return paths


def measure_spawns(driver, clang, rounds, folder):
    """Prints and returns, for each function, user time a spawn beyond the elision's.

    A round compiles as many spawns of each number, so functions of few spawns are compiled more
    often. All numbers are measured in each round: what else the machine does in that time changes
    all of them alike. """
    plain = [clang, "-isystem", ROOT / "runtime" / "include", "-DCILK_SERIAL"]
    paths = generate_spawns(folder)
    seconds = {key: [] for key in paths}  # for each round: of the elision, with the plugin
    for _ in range(rounds):
        for key, path in paths.items():
            common = ["-O2", "-w", "-c", path, "-o", folder / "object.o"]
            pairs = [[compile_once([*compiler, *common], False, user_only=True)[0]
                      for compiler in (plain, [driver])]
                     for _ in range(max(SPAWN_COUNTS) // key[1])]
            seconds[key].append([statistics.mean(side) for side in zip(*pairs)])
    rows = []
    print("\n| function | spawns | nopal-clang++, user s | elision, user s | ms a spawn | ratio "
          "|\n|---|---|---|---|---|---|")
    for (name, count), pairs in seconds.items():
        serial, nopal = (statistics.median(side) for side in zip(*pairs))
        beyond = statistics.median(b - a for a, b in pairs)
        rows.append({"function": name, "spawns": count, "nopal_s": nopal, "clang_s": serial,
                     "ms": beyond * 1000 / count, "ratio": nopal / serial})
        print(f"| {name} | {count} | {nopal:.2f} | {serial:.2f} | {rows[-1]['ms']:.2f} | "
              f"{nopal / serial:.1f} |")
    for name in MANY_SPAWNS:
        costs = [row["ms"] for row in rows if row["function"] == name]
        print(f"{name}: at most {max(costs):.2f} ms a spawn (to be at most {MOST_MS}), equal within"
              f" {max(costs) / min(costs):.2f} times (to be at most {MOST_GROWTH})")
    return rows


def generate(folder, names):
    """Writes the files without keywords; returns their paths."""
    paths = []
    for name in names:
        headers, count, piece = FILES[name]
        text = "".join(f"#include <{header}>\n" for header in headers)
        if pathlib.Path("/usr/include/boost/multi_index_container.hpp").exists() and name == "maps":
            for header in ("_container", "/ordered_index", "/member"):
                text += f"#include <boost/multi_index{header}.hpp>\n"
        text += "".join(piece.replace("N", str(number)) for number in range(count)) + "\n"
        path = folder / f"{name}.cpp"
        path.write_text(text)
        paths.append(path)
    return paths


def children_seconds(user_only=False):
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + (0 if user_only else usage.ru_stime)


def compile_once(command, perf, user_only=False):
    """User and system seconds of one compilation, and its instructions, or None."""
    counts = pathlib.Path(tempfile.gettempdir()) / f"nopal-compile-{os.getpid()}"
    prefix = ["perf", "stat", "-x", ",", "-e", "instructions:u", "-o", str(counts)] if perf else []
    before = children_seconds(user_only)
    # The driver sets it for clang: both shall have the same heap.
    done = subprocess.run([*prefix, *map(str, command)], capture_output=True, text=True,
                          env={**os.environ, "GLIBC_TUNABLES": ""})
    took = children_seconds(user_only) - before
    if done.returncode:
        sys.exit(f"compile_time.py: {' '.join(map(str, command))}\n{done.stderr}")
    if not perf:
        return took, None
    values = [line.split(",")[0] for line in counts.read_text().splitlines()
              if "instructions" in line]
    counts.unlink()
    return took, int(values[0]) if values and values[0].isdigit() else None


def perf_counts():
    """Whether perf may count instructions here."""
    if not shutil.which("perf"):
        return False
    done = subprocess.run(["perf", "stat", "-x", ",", "-e", "instructions:u", "true"],
                          capture_output=True, text=True)
    return done.returncode == 0 and done.stderr.split(",")[0].isdigit()


def measure(programs, driver, clang, rounds, perf, folder):
    """Compiles each file with both compilers in turn; `rounds` pairs a file after one that warms
    up."""
    rows = []
    plain = [clang, "-isystem", ROOT / "runtime" / "include", "-DCILK_SERIAL"]
    for path in programs:
        common = ["-std=c++20" if path.suffix == ".cpp" else "-std=c17", "-O2", "-w", "-c", path,
                  "-o", folder / "object.o"]
        language = [] if path.suffix == ".cpp" else ["-x", "c"]
        pairs = []
        for number in range(rounds + 1):
            pair = [compile_once([*compiler, *language, *common], perf)
                    for compiler in (plain, [driver])]
            if number:
                pairs.append(pair)
        rows.append({
            "file": str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name),
            "clang_s": statistics.median(a[0] for a, _ in pairs),
            "nopal_s": statistics.median(b[0] for _, b in pairs),
            "ratio": statistics.median(b[0] / a[0] for a, b in pairs),
            "instructions_ratio": statistics.median(b[1] / a[1] for a, b in pairs)
            if all(a[1] and b[1] for a, b in pairs) else None,
        })
        row = rows[-1]
        instructions = f"{row['instructions_ratio']:.3f}" if row["instructions_ratio"] else "-"
        print(f"| {row['file']} | {row['clang_s']:.2f} | {row['nopal_s']:.2f} | {row['ratio']:.3f} "
              f"| {instructions} |", flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--driver", default=str(ROOT / "build" / "bin" / "nopal-clang++"))
    parser.add_argument("--clang", default="clang++-22")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--without-own", action="store_true",
                        help="leave the repository's own programs out")
    parser.add_argument("--only-spawns", action="store_true",
                        help="only the functions of many spawns")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    perf = perf_counts()
    rounds = 1 if options.quick else options.rounds
    result = {}
    with tempfile.TemporaryDirectory(prefix="nopal-compile-") as name:
        folder = pathlib.Path(name)
        print("| file | clang++, s | nopal-clang++, s | ratio | of instructions "
              "|\n|---|---|---|---|---|")
        names = list(FILES)[:2] if options.quick else list(FILES)
        if not options.only_spawns:
            result["without_keywords"] = measure(generate(folder, names), options.driver,
                                                 options.clang, rounds, perf, folder)
        if not options.quick and not options.without_own and not options.only_spawns:
            own = sorted([*ROOT.glob("docs/examples/*.cpp"),
                          *ROOT.glob("tests/programs/kernels/*.cpp"),
                          *(ROOT / f"benchmarks/{name}/cilk.cpp"
                            for name in ("cilksort", "heat", "lu", "matmul"))])
            result["own"] = measure(own, options.driver, options.clang, rounds, perf, folder)
        if not options.quick and not options.only_spawns:
            templates = [generate_templates(folder, 3000, spawning) for spawning in (False, True)]
            result["templates"] = measure(templates, options.driver, options.clang, rounds, perf,
                                          folder)
        spawns = [] if options.quick else measure_spawns(options.driver, options.clang, rounds,
                                                         folder)
    for kind, rows in result.items():
        total = sum(row["nopal_s"] for row in rows) / sum(row["clang_s"] for row in rows)
        limit = f" (to be at most {BOUND})" if kind == "without_keywords" else ""
        worst = max(rows, key=lambda row: row["ratio"])
        print(f"{kind.replace('_', ' ')}: all together {total:.3f}, median "
              f"{statistics.median(r['ratio'] for r in rows):.3f}, "
              f"highest {worst['ratio']:.3f} ({worst['file']}){limit}")
    result["many_spawns"] = spawns
    if options.json:
        options.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
