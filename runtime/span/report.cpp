// See report.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report.h"

#include "../src/platform/c_locale.h"
#include "../src/platform/floating_point.h"
#include "../src/platform/whole_file.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

namespace nopal::span {

double parallelism(double work, double span) {
  return span > 0 ? work / span : std::numeric_limits<double>::infinity();
}

namespace {

/// What the parallelism would be if the site's own work took 1/kFaster of its time; and if it were
/// still there and added nothing to the span.
void answer_what_if(SiteRow &row, const Share &share, const WorkSpan &total) {
  const auto work = static_cast<double>(total.work), span = static_cast<double>(total.span);
  const double k = kFaster;
  row.if_faster = parallelism(work - static_cast<double>(row.own) * (1 - 1 / k),
                              span - static_cast<double>(share.saved_faster) / k);
  row.if_parallel = parallelism(work, span - static_cast<double>(share.saved_free));
}

/// Whether it could be written; if not, says why.
bool write_file(const std::string &path, const std::string &text) {
  const int error = write_whole_file(path, text);
  if (error == 0) return true;
  std::fprintf(stderr, "nopal: cannot write '%s': %s; name another file in CILK_SPAN\n",
               path.c_str(), std::strerror(error));
  return false;
}

}  // namespace

Report make_report(Tool &tool) {
  Report report;
  const std::vector<const Meter *> meters = tool.meters();
  const Meter &main = *meters.front();
  report.total = main.total();
  report.sharing = main.sharing();
  for (std::size_t i = 1; i < meters.size(); ++i) report.others.push_back(meters[i]->total());
  report.regions = tool.regions();
  const std::vector<Site> sites = tool.sites.all();
  for (SiteIndex i = 0; i < sites.size(); ++i) {
    SiteRow row{sites[i], 0, 0, 0, 0, std::nullopt, std::nullopt};
    for (const Meter *meter : meters) {
      const SiteTotals *totals = meter->totals(i);
      if (totals == nullptr) continue;
      row.count += totals->count;
      row.work += totals->inclusive;
      row.own += totals->own;
    }
    // What hooks cost is taken off, so strands that are as short may come out below zero.
    row.work = std::max<Ticks>(row.work, 0);
    row.own = std::max<Ticks>(row.own, 0);
    if (i == 0)
      row.work = report.total.work;
    else if (row.count == 0)
      continue;
    if (i < kTrackedSites) {
      const Share share = main.share(i);
      row.on_path = share.on_path;
      answer_what_if(row, share, report.total);
    }
    report.sites.push_back(std::move(row));
  }
  std::sort(report.sites.begin(), report.sites.end(), [](const SiteRow &a, const SiteRow &b) {
    return a.own != b.own ? a.own > b.own : a.site.line < b.site.line;
  });
  return report;
}

void write_report(Tool &tool) {
  if (tool.options.report == Options::Report::kNone) return;
  const CLocale locale;
  const DefaultFloatingPoint floating_point;
  const Report report = make_report(tool);
  if (tool.options.report == Options::Report::kTable ||
      !write_file(tool.options.report_path, as_json(report, tool)))
    std::fputs(as_table(report, tool).c_str(), stderr);
}

}  // namespace nopal::span
