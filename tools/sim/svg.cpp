// The plot of `nopal-sim run --format svg`. See report.h. The table of theorems has its plots from
// benchmarks/policies/plot.py.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report.h"

namespace nopal::sim {
namespace {

constexpr double kWidth = 640, kHeight = 380, kLeft = 64, kRight = 200, kTop = 36, kBottom = 48;
constexpr const char *kColours[] = {"#1b6ca8", "#d68910", "#c0392b", "#2e8b57",
                                    "#8e6bbf", "#555555", "#00838f", "#ad1457"};

/// A logarithmic axis from a power of `base` to another.
class Axis {
 public:
  Axis(double base, double low, double high, double begin, double end)
      : base_(base),
        first_(std::floor(std::log(low) / std::log(base) + 1e-9)),
        last_(std::max(first_ + 1, std::ceil(std::log(high) / std::log(base) - 1e-9))),
        begin_(begin),
        end_(end) {}

  double place(double value) const {
    return begin_ +
           (std::log(value) / std::log(base_) - first_) / (last_ - first_) * (end_ - begin_);
  }
  std::vector<double> ticks() const {
    std::vector<double> list;
    const double step = std::max(1.0, std::floor((last_ - first_) / 8));
    for (double power = first_; power <= last_; power += step)
      list.push_back(std::pow(base_, power));
    return list;
  }

 private:
  double base_, first_, last_, begin_, end_;
};

using Line = std::map<std::uint32_t, std::vector<double>>;  // workers -> a value a run

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string escaped(const std::string &text) {
  std::string safe;
  for (const char c : text)
    safe += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return safe;
}

}  // namespace

std::string svg(const std::vector<Record> &records) {
  std::map<std::string, Line> lines;
  double least_workers = 65'536, most_workers = 2, least = 1, most = 1.01;
  for (const Record &record : records) {
    const Result &r = record.result;
    const double value = static_cast<double>(r.time) * r.workers / static_cast<double>(r.t1);
    lines[record.program + " " + record.policy][r.workers].push_back(value);
    least_workers = std::min<double>(least_workers, r.workers);
    most_workers = std::max<double>(most_workers, r.workers);
    most = std::max(most, value);
  }
  const Axis x(2, least_workers, most_workers, kLeft, kWidth - kRight);
  const Axis y(2, least, most, kHeight - kBottom, kTop);
  std::string text = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" font-family=\"sans-serif\" "
      "font-size=\"11\"><rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{}\" y=\"20\" font-size=\"13\">T_P / (T1/P), medians</text>\n",
      kWidth, kHeight, kLeft);
  for (const double tick : x.ticks())
    text += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}V{2:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{0:.1f}\" y=\"{3:.1f}\" text-anchor=\"middle\">{4}</text>\n",
        x.place(tick), kHeight - kBottom, kTop, kHeight - kBottom + 15, tick);
  for (const double tick : y.ticks())
    text += fmt::format(
        "<path d=\"M{0:.1f} {1:.1f}H{2:.1f}\" stroke=\"#ddd\"/>"
        "<text x=\"{3:.1f}\" y=\"{1:.1f}\" text-anchor=\"end\">{4}</text>\n",
        kLeft, y.place(tick), kWidth - kRight, kLeft - 6, tick);
  text += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">P</text>\n",
                      (kLeft + kWidth - kRight) / 2, kHeight - 12);
  std::size_t number = 0;
  for (const auto &[name, line] : lines) {
    const char *const colour = kColours[number % std::size(kColours)];
    std::string path, dots;
    for (const auto &[workers, values] : line) {
      const double at_x = x.place(workers), at_y = y.place(median(values));
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", at_x, at_y);
      dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>", at_x, at_y);
    }
    text += fmt::format(
        "<path d=\"{0}\" fill=\"none\" stroke=\"{1}\"/><g fill=\"{1}\">{2}</g>"
        "<text x=\"{3}\" y=\"{4}\" fill=\"{1}\">{5}</text>\n",
        path, colour, dots, kWidth - kRight + 10, kTop + 15 * static_cast<double>(number + 1),
        escaped(name));
    ++number;
  }
  return text + "</svg>\n";
}

}  // namespace nopal::sim
