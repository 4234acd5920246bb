#!/usr/bin/env python3
"""Each installed header in the serial elision: any compiler accepts it, and a program that uses it
needs no library.

  serial_test.py   clang-22 and gcc, clang++-22 in C++20, g++ in C++17, if they are there;
                   Clang without the plugin. Headers take the compilers of a language in turn;
                   with NOPAL_TEST_ALL=1 each takes all
"""
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from compilers import HUGE_PAGES  # noqa: E402

ROOT = Path(os.environ.get("NOPAL_SOURCE_DIR", Path(__file__).resolve().parents[2]))
INCLUDE = ROOT / "runtime" / "include"
# Without the parts of <cilk/algorithm.h> and <cilk/cluster.h>, which no other file includes.
HEADERS = sorted(path.relative_to(INCLUDE).as_posix() for path in INCLUDE.rglob("*.h")
                 if path.parent.name not in ("algorithm", "cluster") and
                 not path.name.startswith("cluster_"))
# In C these end with an error of their own.
FOR_CXX = {name for name in HEADERS
           if name.startswith(("cilk/algorithm", "cilk/monoid", "cilk/reducer"))}
FOR_CXX -= {"cilk/reducer_c.h", "cilk/reducer_file.h"}
FOR_CXX |= {"cilk/cluster.h", "cilk/statistics.h", "cilk/holder.h", "cilk/holder_monoid.h",
            "cilk/opadd_reducer.h", "cilk/ostream_reducer.h"}
ALL = os.environ.get("NOPAL_TEST_ALL") == "1"
STRICT = ("-Wall", "-Wextra", "-Werror", "-pedantic-errors")
C = [name for name in ("clang-22", "gcc") if shutil.which(name)]
CXX = [name for name in ("clang++-22", "g++") if shutil.which(name)]
# What the compiler of an MPI program is given; empty if no MPI is installed.
MPI = (subprocess.check_output(["mpicxx", "-show"], text=True).split()[1:]
       if shutil.which("mpicxx") else [])
OPTIONS = {"cilk/cluster.h": [word.replace("-I", "-isystem", 1) for word in MPI]}

# What a program may rely on of each header. Its main returns 0.
USES = {
    "cilk/algorithm.h": """
int main() {
  std::vector<int> v{3, 1, 2}, w(3);
  cilk::sort(v);
  cilk::inclusive_scan(v, w.begin());
  const auto is_even = [](int x) { return x % 2 == 0; };
  return cilk::reduce(w) != 10 || *cilk::find_if(w, is_even) != 6 ||
         cilk::count_if(v, is_even) != 1;
}
""",
    "cilk/cilk.h": """
static int twice(int n) { return 2 * n; }
int main(void) {
  int _Hyperobject(zero, plus) sum = 0;
  int first = cilk_spawn twice(3);
  cilk_sync;
  cilk_for (int i = 0; i < 4; i++) sum += i;
  cilk_scope { cilk_spawn twice(1); }
  return !(first == 6 && sum == 6);
}
""",
    "cilk/cluster.h": """
int main(int argc, char **argv) {
  cilk::cluster ranks(argc, argv);
  return cilk::cluster_reduce<long, std::plus<>>(ranks, 0L, 4L, [](long i) { return i; }) != 6;
}
""",
    "cilk/cilk_stub.h": """
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#if !defined CILK_STUB || defined __cilk
#error
#endif
static int twice(int n) { return 2 * n; }
int main(void) {
  int first = cilk_spawn twice(3);
  cilk_sync;
  _Cilk_for (int i = 0; i < 4; i++) first++;
  return first != 10;
}
""",
    "cilk/common.h": """
__CILKRTS_BEGIN_EXTERN_C
CILK_API(int) six(void);
__CILKRTS_END_EXTERN_C
CILK_API(int) six(void) { return 6; }
__CILKRTS_INLINE int line(void) { return __CILKRTS_CACHE_LINE__; }
static __CILKRTS_CACHE_ALIGN char aligned[64];
int main(void) {
  __STDNS size_t bytes = sizeof aligned;
  __CILKRTS_ASSERT(bytes == 64);
  return six() != 6 || line() != 64 || (uintptr_t)aligned % 64 != 0 || bytes != 64;
}
""",
    "cilk/hyperobject_base.h": """
static void add(void *r, void *left, void *right) { (void)r; *(long *)left += *(long *)right; }
static void zero(void *r, void *view) { (void)r; *(long *)view = 0; }
int main(void) {
  struct { __cilkrts_hyperobject_base base; long value; } sum = {
      {{add, zero, __cilkrts_hyperobject_noop_destroy, __cilkrts_hyperobject_alloc,
        __cilkrts_hyperobject_dealloc}, 0, sizeof(__cilkrts_hyperobject_base), sizeof(long)}, 1};
  __cilkrts_hyper_create(&sum.base);
  *(long *)__cilkrts_hyper_lookup(&sum.base) += 5;
  __cilkrts_hyper_destroy(&sum.base);
  return sum.value != 6;
}
""",
    "cilk/cilk_api.h": """
static void nothing(void) {}
int main(void) {
  __cilkrts_init();
  int wrong = __cilkrts_get_nworkers() != 1 || __cilkrts_get_worker_number() != 0 ||
              __cilkrts_get_total_workers() != 1 ||
              __cilkrts_is_initialized() || __cilkrts_running_on_workers() ||
              __cilkrts_set_param("nworkers", "2") != __CILKRTS_SET_PARAM_SUCCESS ||
              __cilkrts_set_param("nworkers", "0") != __CILKRTS_SET_PARAM_SUCCESS ||
              __cilkrts_set_param("nworkers", "4097") != __CILKRTS_SET_PARAM_XRANGE ||
              __cilkrts_set_param("nworkers", "99999999999") != __CILKRTS_SET_PARAM_XRANGE ||
              __cilkrts_set_param("nworkers", "") != __CILKRTS_SET_PARAM_INVALID ||
              __cilkrts_set_param("nworkers", "3 ") != __CILKRTS_SET_PARAM_INVALID ||
              __cilkrts_set_param("adapt", "turns") != __CILKRTS_SET_PARAM_SUCCESS ||
              __cilkrts_set_param("adapt", "2") != __CILKRTS_SET_PARAM_INVALID ||
              __cilkrts_set_param("stack size", "1") != __CILKRTS_SET_PARAM_UNIMP ||
              __cilkrts_atinit(nothing) || __cilkrts_atexit(nothing);
  __cilkrts_end_cilk();
  return wrong;
}
""",
    "cilk/cilkscale.h": """
int main(void) {
  wsp_t spent = wsp_add(wsp_getworkspan(), wsp_sub(wsp_getworkspan(), wsp_zero()));
  wsp_dump(spent, "nothing");
  return spent.work != 0 || spent.span != 0 || spent.bspan != 0;
}
""",
    "cilk/measure.h": """
int main(void) {
  nopal_span_begin("nothing");
  nopal_span_count(1);
  nopal_span_end();
  return 0;
}
""",
    "cilk/race.h": """
int main(void) {
  int x = 0;
  nopal_race_ignore_begin();
  nopal_race_ignore_end();
  nopal_race_lock(&x);
  nopal_race_unlock(&x);
  nopal_race_forget(&x, sizeof x);
  nopal_race_value(&x);
  return x;
}
""",
    "cilk/cilksan.h": """
int main(void) {
  static Cilksan_fake_mutex mutex;
  __cilksan_register_lock_explicit(&mutex);
  __cilksan_acquire_lock(&mutex);
  __cilksan_release_lock(&mutex);
  __cilksan_unregister_lock_explicit(&mutex);
  __cilksan_disable_checking();
  __cilksan_enable_checking();
  __cilksan_begin_atomic();
  __cilksan_end_atomic();
  return __cilksan_is_checking_enabled();
}
""",
    "cilk/keywords.h": """
static int twice(int n) { return 2 * n; }
int main(void) {
  int _Hyperobject(zero, plus) sum = 0;
  int first = _Cilk_spawn twice(3);
  _Cilk_sync;
  _Cilk_for (int i = 0; i < 4; i++) sum += i;
  _Cilk_scope { _Cilk_spawn twice(1); }
  return !(first == 6 && sum == 6);
}
""",
    "cilk/monoid.h": """
int main() {
  int left = 2, right = 3;
  cilk::reduce_values(std::plus<>{}, left, right);
  static_assert(cilk::is_monoid_v<cilk::maximum, int> && !cilk::is_monoid_v<int, int>, "");
  return !(left == 5 && cilk::identity_value<int>(std::multiplies<>{}) == 1);
}
""",
    "cilk/reducer.h": """
#include <string>
int main() {
  cilk::reducer<long, std::plus<>> sum(1L);
  cilk::reducer text(std::string("a"), cilk::append{});
  cilk::scratch<int> space;
  for (int i = 0; i < 4; i++) *sum += i;
  text->push_back('b');
  *space = 3;
  return !(*sum == 7 && text.take() == "ab" && text->empty() && sum.get_value() == *space + 4);
}
""",
    "cilk/reducer_extremum.h": """
int main() {
  cilk::detail::extremum_view<int, int, std::less<int>, false> lowest;
  return lowest.is_set();
}
""",
    "cilk/monoid_views.h": """
#include <cilk/reducer.h>
struct Or : cilk::monoid_base<bool> {
  static void reduce(bool *left, bool *right) { *left = *left || *right; }
};
int main() {
  cilk::reducer<Or> any;
  *any = true;
  return !any.get_value();
}
""",
    "cilk/reducer_c.h": """
int main(void) {
  CILK_C_REDUCER_OPADD(sum, long, 1);
  CILK_C_REGISTER_REDUCER(sum);
  REDUCER_VIEW(sum) += 5;
  CILK_C_UNREGISTER_REDUCER(sum);
  return sum.value != 6;
}
""",
    "cilk/reducer_opadd.h": """
int main() {
  cilk::reducer<cilk::op_add<long>> r(1L);
  *r += 2;
  ++*r;
  *r = *r + 1;
  return r.get_value() != 5;
}
""",
    "cilk/reducer_opmul.h": """
int main() {
  cilk::reducer<cilk::op_mul<long>> r;
  *r *= 6;
  return r.get_value() != 6;
}
""",
    "cilk/reducer_opand.h": """
int main() {
  cilk::reducer<cilk::op_and<unsigned>> r;
  *r &= 6u;
  return r.get_value() != 6;
}
""",
    "cilk/reducer_opor.h": """
int main() {
  cilk::reducer<cilk::op_or<unsigned>> r;
  *r |= 6u;
  return r.get_value() != 6;
}
""",
    "cilk/reducer_opxor.h": """
int main() {
  cilk::reducer<cilk::op_xor<unsigned>> r(5u);
  *r ^= 6u;
  return r.get_value() != 3;
}
""",
    "cilk/reducer_max.h": """
int main() {
  cilk::reducer<cilk::op_max<int>> r;
  *r = cilk::max_of(*r, 6);
  return r.get_value() != 6;
}
""",
    "cilk/reducer_min.h": """
int main() {
  cilk::reducer<cilk::op_min_index<int, int>> r;
  r->calc_min(1, 6);
  return r->get_index() != 1;
}
""",
    "cilk/reducer_min_max.h": """
int main() {
  cilk::reducer_max<int> r;
  r.calc_max(6);
  return r.get_value() != 6;
}
""",
    "cilk/reducer_file.h": """
int main(void) { return 0; }
""",
    "cilk/reducer_sequence.h": """
#include <vector>
int main() {
  cilk::detail::sequence_view<std::vector<int>> threes(2, 3);
  return threes.view_get_value()[1] != 3;
}
""",
    "cilk/reducer_list.h": """
int main() {
  cilk::reducer<cilk::op_list_prepend<int>> r;
  r->push_front(6);
  return r.get_value().front() != 6;
}
""",
    "cilk/reducer_vector.h": """
int main() {
  cilk::reducer<cilk::op_vector<int>> r;
  r->push_back(6);
  return r.get_value()[0] != 6;
}
""",
    "cilk/reducer_string.h": """
int main() {
  cilk::reducer<cilk::op_string> r("a");
  r->append("b");
  return r.get_value() != "ab";
}
""",
    "cilk/reducer_ostream.h": """
int main() {
  std::ostringstream s;
  { cilk::reducer<cilk::op_ostream> r(s);
  *r << 6;
  } return s.str() != "6";
}
""",
    "cilk/holder.h": """
int main() {
  cilk::holder<int> scratch = 6;
  return scratch != 6;
}
""",
    "cilk/holder_monoid.h": """
int main() {
  cilk::reducer<cilk::holder_monoid<int, cilk::holder_keep_last>> last;
  *last = 6;
  return last.get_value() != 6;
}
""",
    "cilk/opadd_reducer.h": """
int main() {
  cilk::opadd_reducer<long> sum = 1;
  sum += 5;
  return sum != 6;
}
""",
    "cilk/ostream_reducer.h": """
int main() {
  std::ostringstream s;
  cilk::ostream_reducer<char> out(s);
  out << 6;
  return s.str() != "6";
}
""",
    "cilk/dprng.h": """
int main(void) {
  __cilkrts_dprand_set_seed(1);
  __cilkrts_init_dprng();
  uint64_t first = __cilkrts_get_dprand();
  __cilkrts_bump_worker_rank();
  return first == __cilkrts_get_dprand() || __cilkrts_get_pedigree().rank != 3 ||
         __cilkrts_get_pedigree().parent != 0;
}
""",
    "cilk/statistics.h": """
int main() {
  const cilk::statistics all = cilk::read_statistics();
  return !(all.nworkers == 1 && all.elapsed_ns == 0 && all.workers.empty() && all.sites.empty() &&
           all.total.steals == 0 &&
           all.total.working_ns == 0 && all.stacks.peak_live_bytes == 0 && all.segments.maps == 0);
}
""",
    "cilk/views.h": """
static void zero(void *view) { *(long *)view = 0; }
static void add(void *left, void *right) { *(long *)left += *(long *)right; }
int main(void) {
  long sum = 1;
  void *identity = (void *)(uintptr_t)zero, *reduce = (void *)(uintptr_t)add;
  *(long *)__cilkrts_reducer_lookup(&sum, sizeof sum, identity, reduce) += 2;
  __cilkrts_reducer_register(&sum, sizeof sum, identity, reduce);
  __cilkrts_reducer_unregister(&sum);
  return sum != 3 || nopal_this_strand()->stolen != 0;
}
"""
}


class Serial(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="nopal-serial-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def check(self, compiler, standard, suffix, headers):
        """A file for each header, which includes that one alone; one program of all files."""
        names = ["use_" + header.replace("/", "_").replace(".", "_") for header in headers]
        parameters = "int argc, char **argv" if headers == ["cilk/cluster.h"] else "void"
        for name, header in zip(names, headers):
            use = re.sub(r"int main\(.*?\)", f"int {name}({parameters})", USES[header])
            linkage = 'extern "C" ' if suffix == ".cpp" else ""
            (self.folder / f"{name}{suffix}").write_text(
                f"#include <{header}>\n#include <{header}>\n"
                f"{linkage}int {name}({parameters});{use}")
        arguments = "argc, argv" if headers == ["cilk/cluster.h"] else ""
        # In C, whatever the headers' language is. Its status says how many are wrong.
        (self.folder / "main.c").write_text(
            "#include <stdio.h>\n" +
            "".join(f"int {name}({parameters});\n" for name in names) +
            "int main(int argc, char **argv) {\n  int wrong = 0;\n  (void)argc, (void)argv;\n" +
            "".join(f'  if ({name}({arguments})) wrong += puts("{name}") >= 0;\n'
                    for name in names) + "  return wrong;\n}\n")
        self.run_command("cc", "-c", "main.c")
        self.run_command(compiler, f"-std={standard}", *STRICT, "-DCILK_SERIAL", f"-I{INCLUDE}",
                         *(f"{name}{suffix}" for name in names), "main.o", "-o", "program",
                         *(OPTIONS.get(headers[0], [])))
        self.run_command("./program")

    def run_command(self, *command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True,
                              env={**os.environ, **HUGE_PAGES})
        self.assertEqual(done.returncode, 0,
                         f"{' '.join(command)}\n{done.stdout}{done.stderr}")

    def test_every_header_has_a_use_here(self):
        self.assertEqual(HEADERS, sorted(USES))

    def test_the_compilers_are_there(self):
        self.assertGreaterEqual(len(C), 1)
        self.assertGreaterEqual(len(CXX), 1)

    def check_in_turn(self, ways, suffix, headers):
        """Each header with one of these pairs of a compiler and a standard, or with all."""
        for number, (compiler, standard) in enumerate(ways):
            self.check(compiler, standard, suffix,
                       headers if ALL else headers[number::len(ways)])

    def test_in_c(self):
        self.check_in_turn([(compiler, "c11") for compiler in C], ".c",
                           [header for header in HEADERS if header not in FOR_CXX])

    def test_in_cxx(self):
        self.check_in_turn(list(zip(CXX, ("c++20", "c++17"))), ".cpp",
                           [header for header in HEADERS if header not in OPTIONS])

    @unittest.skipUnless(MPI, "no MPI is installed")
    def test_across_ranks(self):
        standards = ("c++20", "c++17")
        ways = itertools.product(CXX, standards) if ALL else zip(CXX, standards)
        for compiler, standard in ways:
            self.check(compiler, standard, ".cpp", ["cilk/cluster.h"])


if __name__ == "__main__":
    unittest.main()
