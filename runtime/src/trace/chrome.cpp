// See chrome.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "chrome.h"

#include "../platform/json_string.h"

#include <cstdio>

namespace nopal::trace {

namespace {

std::string member(const char *key, const std::string &value) {
  return std::string(",\"") + key + "\":" + value;
}

std::string named(const Name &name, Note note) {
  std::string rest = member("name", json_string(name.text));
  if (note.key != nullptr)
    rest +=
        member("args", std::string("{\"") + note.key + "\":" + std::to_string(note.value) + "}");
  return rest;
}

std::string flow(std::uint64_t id) {
  return ",\"cat\":\"steal\",\"name\":\"steal\",\"id\":" + std::to_string(id);
}

}  // namespace

void ChromeOutput::put(char phase, std::uint32_t worker, std::uint64_t ns,
                       const std::string &rest) {
  char head[128];
  std::snprintf(head, sizeof head, "%s{\"ph\":\"%c\",\"pid\":%d,\"tid\":%u,\"ts\":%llu.%03u",
                has_begun_ ? ",\n" : "[\n", phase, pid_, worker,
                static_cast<unsigned long long>(ns / 1000), static_cast<unsigned>(ns % 1000));
  has_begun_ = true;
  file_.append(head + rest + "}");
}

void ChromeOutput::put_metadata(const char *kind, std::uint32_t worker, const std::string &name) {
  put('M', worker, 0,
      std::string(",\"name\":\"") + kind + "\",\"args\":{\"name\":" + json_string(name) + "}");
}

void ChromeOutput::process(int pid, const std::string &name) {
  pid_ = pid;
  put_metadata("process_name", 0, name);
}

void ChromeOutput::worker(std::uint32_t worker) {
  put_metadata("thread_name", worker, "worker " + std::to_string(worker));
}

void ChromeOutput::begin(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
                         std::uint64_t arriving) {
  put('B', worker, ns, named(name, note));
  if (arriving != 0) put('f', worker, ns, ",\"bp\":\"e\"" + flow(arriving));
}

void ChromeOutput::end(std::uint32_t worker, std::uint64_t ns) { put('E', worker, ns, ""); }

void ChromeOutput::instant(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
                           std::uint64_t leaving, std::uint64_t arriving) {
  put('i', worker, ns, ",\"s\":\"t\"" + named(name, note));
  if (leaving != 0) put('s', worker, ns, flow(leaving));
  if (arriving != 0) put('f', worker, ns, ",\"bp\":\"e\"" + flow(arriving));
}

void ChromeOutput::gauge(Gauge gauge, std::uint32_t worker, std::uint64_t ns, std::uint64_t value) {
  const char *key = "count";
  std::string name = "busy workers";
  if (gauge == Gauge::kSegments) name = "stack segments";
  if (gauge == Gauge::kDequeDepth) name = "worker " + std::to_string(worker) + " stealable";
  put('C', worker, ns, named({0, name}, {key, value}));
}

}  // namespace nopal::trace
