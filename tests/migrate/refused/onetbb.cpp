// What has no counterpart, or would change its meaning: every construct stays.
#include <tbb/blocked_range.h>
#include <tbb/blocked_range2d.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_for_each.h>
#include <tbb/parallel_scan.h>
#include <tbb/task_group.h>

#include <list>
#include <mutex>
#include <numeric>
#include <vector>

void run_in(tbb::task_group &group);

void groups(std::vector<int> &v) {
  // stays: the group is handed on
  tbb::task_group handed;
  run_in(handed);
  handed.wait();

  tbb::task_group nested;
  nested.run([&] {
    v[0] = 1;
    // stays: the group is used in a function that it or another one calls
    nested.run([&] { v[1] = 2; });
  });
  nested.wait();

  tbb::task_group asked;
  asked.run([&] { v[2] = 3; });
  // stays: the result of a wait has no counterpart
  if (asked.wait() == tbb::canceled) v[3] = 4;
}

// stays: a task_group of the caller
void members(tbb::task_group &group, int n) {
  for (int i = 0; i < n; ++i) group.run([] {});
}

void ranges(std::vector<double> &v, std::list<int> &l) {
  // stays: CILK_NWORKERS
  tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 2);
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, v.size()), [&](const auto &r) {
    // stays: the body takes the range as a whole
    std::iota(v.begin() + long(r.begin()), v.begin() + long(r.end()), double(r.begin()));
  });
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, v.size()), [&](const auto &r) {
    // stays: each part of the range has its own 'sum'
    double sum = 0;
    for (std::size_t i = r.begin(); i != r.end(); ++i) v[i] = sum += v[i];
  });
  // stays: its elements have no random access
  tbb::parallel_for_each(l, [](int &x) { ++x; });
  for (int i = 0; i < 2; ++i)
    tbb::parallel_for(tbb::blocked_range<int>(i, 8), [&](const auto &r) {
      // stays: 'i' would hide a variable of the range
      for (int i = r.begin(); i != r.end(); ++i) v[std::size_t(i)] = i;
    });
  tbb::task_group_context context;
  // stays: a task_group_context, which may cancel
  tbb::parallel_for(0, 8, [&](int i) { v[std::size_t(i)] = i; }, context);
}

int specific(int n) {
  // stays: 'e' is handed on, or its values are visited one by one
  tbb::enumerable_thread_specific<int> e(0);
  e.local() += n;
  int sum = 0;
  for (int x : e) sum += x;
  return sum;
}

struct Tree {
  tbb::task_group group;
  long visit(int n) {
    if (n < 2) return 1;
    // stays: 'group' is not a local variable
    group.run([=, this] { visit(n - 1); });
    group.wait();
    return 2;
  }
};
long grow(int n) { return Tree().visit(n); }

#define BODY(value) [&](int i) { v[i] = value; }

void parts(std::vector<int> &v, std::mutex &mutex, int n) {
  tbb::parallel_for(tbb::blocked_range<int>(0, n), [&](const tbb::blocked_range<int> &r) {
    // stays: each part of the range has its own 'lock'
    std::lock_guard<std::mutex> lock(mutex);
    for (int i = r.begin(); i != r.end(); ++i) v[0] += i;
  });
  tbb::parallel_for(tbb::blocked_range2d<int>(0, n, 0, n), [&](const tbb::blocked_range2d<int> &r) {
    for (int i = r.rows().begin(); i != r.rows().end(); ++i) {
      std::vector<int> row;
      for (int k = r.cols().begin(); k != r.cols().end(); ++k)
        // stays: the columns of a row share 'row'
        row.push_back(k);
      v[i] = row.size();
    }
  });
  // stays: part of it is in a macro
  tbb::parallel_for(0, n, BODY(7));
}
