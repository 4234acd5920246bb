// The statistics as JSON (RFC 8259). Specified in print.h; the schema stands in docs/statistics.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../platform/json_string.h"
#include "print.h"
#include "verdict.h"

#include <cerrno>
#include <cstdio>

namespace nopal::stats {

namespace {

/// Writes objects and arrays; puts the commas.
class JsonWriter {
 public:
  void open(char bracket) {
    separate();
    text_ += bracket;
    ++depth_;
    is_first_ = true;
  }
  void close(char bracket) {
    --depth_;
    if (!is_first_) break_line();
    text_ += bracket;
    is_first_ = false;
  }
  void key(std::string_view name) {
    separate();
    text_ += json_string(name) + ": ";
    follows_key_ = true;
  }
  void field(std::string_view name, std::uint64_t value) {
    key(name);
    value_text(std::to_string(value));
  }
  void decimal(std::string_view name, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f", value);
    key(name);
    value_text(text);
  }
  void field(std::string_view name, std::string_view value) {
    key(name);
    value_text(json_string(value));
  }
  /// On one line.
  void numbers(std::string_view name, const std::vector<std::uint64_t> &values) {
    std::string text = "[";
    for (const std::uint64_t value : values)
      text += (text.size() == 1 ? "" : ", ") + std::to_string(value);
    key(name);
    value_text(text + "]");
  }
  std::string take() { return std::move(text_) + "\n"; }

 private:
  void value_text(const std::string &text) {
    separate();
    text_ += text;
  }
  void break_line() { text_ += "\n" + std::string(2 * depth_, ' '); }
  void separate() {
    if (!follows_key_) {
      if (!is_first_) text_ += ',';
      if (depth_ != 0) break_line();
    }
    is_first_ = false;
    follows_key_ = false;
  }

  std::string text_;
  std::size_t depth_ = 0;
  bool is_first_ = true;
  bool follows_key_ = false;
};

void write_stacks(JsonWriter &json, const cilk::stack_statistics &stacks) {
  json.key("stacks");
  json.open('{');
  for (const StackField &field : kStackFields) json.field(field.name, stacks.*field.value);
  json.close('}');
}

void write_counts(JsonWriter &json, const cilk::worker_statistics &counts) {
  for (const CountField &field : kCountFields) json.field(field.name, counts.*field.value);
}

void write_times(JsonWriter &json, const std::string &name, const Interval &times_ns) {
  if (times_ns.most == 0) return;
  json.field(name + "_least_ns", static_cast<std::uint64_t>(times_ns.least));
  json.field(name + "_most_ns", static_cast<std::uint64_t>(times_ns.most));
}

void write_verdict(JsonWriter &json, const Verdict &verdict) {
  json.key("verdict");
  json.open('{');
  json.field("cause", verdict.cause->name);
  json.field("lost_percent", verdict.lost_percent);
  const Interval &parallelism = verdict.estimate.parallelism;
  if (parallelism.least != 0) json.decimal("parallelism_least", parallelism.least);
  if (parallelism.most != 0) json.decimal("parallelism_most", parallelism.most);
  write_times(json, "work", verdict.estimate.work_ns);
  write_times(json, "span", verdict.estimate.span_ns);
  json.field("sentence", verdict.sentence);
  json.field("advice", verdict.advice);
  if (verdict.site != nullptr) json.field("site", location(*verdict.site));
  json.close('}');
}

}  // namespace

std::string print_json(const Snapshot &snapshot) {
  JsonWriter json;
  json.open('{');
  json.field("schema", kSchema);
  json.field("program", program_invocation_name);
  json.field("nworkers", snapshot.nworkers);
  json.field("elapsed_ns", snapshot.elapsed_ns);
  write_verdict(json, judge(snapshot));
  json.key("summary");
  json.open('{');
  for (const SummaryField &field : kSummaryFields)
    json.field(field.name, snapshot.summary.*field.value);
  json.close('}');
  json.key("workers");
  json.open('[');
  for (std::size_t i = 0; i < snapshot.workers.size(); ++i) {
    const cilk::worker_row &worker = snapshot.workers[i];
    json.open('{');
    json.field("index", worker.index);
    json.field("kind", worker.is_attached ? "attached" : "helper");
    write_counts(json, worker.counts);
    write_stacks(json, worker.stacks);
    json.numbers("steals_from", snapshot.steals_from[i]);
    json.close('}');
  }
  json.close(']');
  json.key("total");
  json.open('{');
  write_counts(json, snapshot.total);
  write_stacks(json, snapshot.stacks);
  json.close('}');
  json.key("segments");
  json.open('{');
  for (const SegmentField &field : kSegmentFields)
    json.field(field.name, snapshot.segments.*field.value);
  json.close('}');
  json.key("sites");
  json.open('[');
  for (std::size_t i = 0; i < snapshot.sites.size(); ++i) {
    const cilk::site_row &site = snapshot.sites[i];
    json.open('{');
    json.field("function", site.function);
    json.field("file", site.file);
    json.field("line", site.line);
    json.field("column", site.column);
    json.field("index", site.index);
    json.field("steals", site.steals);
    for (const SiteField &field : kSiteFields) json.field(field.name, snapshot.time(i, field.time));
    json.close('}');
  }
  json.close(']');
  json.close('}');
  return json.take();
}

}  // namespace nopal::stats
