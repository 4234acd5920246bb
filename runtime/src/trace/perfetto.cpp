// See perfetto.h.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "perfetto.h"

#include <cstdio>

namespace nopal::trace {

namespace {

// Fields, by message. Perfetto's own names are in its documentation of "synthetic track events".
namespace trace_fields {
constexpr std::uint32_t kPacket = 1;
}
namespace packet_fields {
constexpr std::uint32_t kTimestamp = 8;
constexpr std::uint32_t kSequence = 10;
constexpr std::uint32_t kTrackEvent = 11;
constexpr std::uint32_t kInternedData = 12;
constexpr std::uint32_t kSequenceFlags = 13;
constexpr std::uint32_t kTrackDescriptor = 60;
}  // namespace packet_fields
namespace descriptor_fields {
constexpr std::uint32_t kUuid = 1;
constexpr std::uint32_t kName = 2;
constexpr std::uint32_t kProcess = 3;
constexpr std::uint32_t kParent = 5;
constexpr std::uint32_t kCounter = 8;
constexpr std::uint32_t kProcessPid = 1;
constexpr std::uint32_t kProcessName = 6;
constexpr std::uint32_t kCounterUnit = 3;
}  // namespace descriptor_fields
namespace event_fields {
constexpr std::uint32_t kAnnotations = 4;
constexpr std::uint32_t kType = 9;
constexpr std::uint32_t kNameId = 10;
constexpr std::uint32_t kTrack = 11;
constexpr std::uint32_t kCounterValue = 30;
constexpr std::uint32_t kFlows = 47;
constexpr std::uint32_t kTerminatingFlows = 48;
constexpr std::uint32_t kAnnotationName = 10;
constexpr std::uint32_t kAnnotationUint = 3;
}  // namespace event_fields
namespace interned_fields {
constexpr std::uint32_t kEventNames = 2;
constexpr std::uint32_t kId = 1;
constexpr std::uint32_t kName = 2;
}  // namespace interned_fields

enum Type : std::uint8_t { kBegin = 1, kEnd = 2, kInstant = 3, kCounter = 4 };
enum TrackKind : std::uint8_t { kProcess, kGauges, kWorkers, kDeques };

constexpr std::uint64_t kSequence = 1;  // one writer
constexpr std::uint64_t kStateIsNew = 1;
constexpr std::uint64_t kNeedsState = 2;
constexpr std::uint64_t kUnitCount = 2;

Message event_of(Type type, std::uint64_t track) {
  Message event;
  event.number(event_fields::kType, type);
  event.number(event_fields::kTrack, track);
  return event;
}

void add_note(Message &event, Note note) {
  if (note.key == nullptr) return;
  Message annotation;
  annotation.text(event_fields::kAnnotationName, note.key);
  annotation.number(event_fields::kAnnotationUint, note.value);
  event.message(event_fields::kAnnotations, annotation);
}

}  // namespace

std::uint64_t PerfettoOutput::track_of(std::uint32_t kind, std::uint32_t worker) const noexcept {
  return pid_ << 32 | std::uint64_t{kind} << 24 | (worker + 1);
}

void PerfettoOutput::put(Message packet) {
  packet.number(packet_fields::kSequence, kSequence);
  packet.number(packet_fields::kSequenceFlags,
                has_begun_ ? kNeedsState : kStateIsNew | kNeedsState);
  has_begun_ = true;
  Message trace;
  trace.message(trace_fields::kPacket, packet);
  file_.append(trace.bytes());
}

void PerfettoOutput::put_event(std::uint64_t ns, const Message &event, const Name *name) {
  Message packet;
  packet.number(packet_fields::kTimestamp, ns);
  packet.message(packet_fields::kTrackEvent, event);
  if (name != nullptr && name->id > known_names_) {
    known_names_ = name->id;
    Message entry;
    entry.number(interned_fields::kId, name->id);
    entry.text(interned_fields::kName, name->text);
    Message interned;
    interned.message(interned_fields::kEventNames, entry);
    packet.message(packet_fields::kInternedData, interned);
  }
  put(packet);
}

void PerfettoOutput::process(int pid, const std::string &name) {
  pid_ = static_cast<std::uint64_t>(pid);
  Message process;
  process.number(descriptor_fields::kProcessPid, pid_);
  process.text(descriptor_fields::kProcessName, name);
  Message descriptor;
  descriptor.number(descriptor_fields::kUuid, track_of(kProcess, 0));
  descriptor.message(descriptor_fields::kProcess, process);
  Message packet;
  packet.message(packet_fields::kTrackDescriptor, descriptor);
  put(packet);
  put_counter(track_of(kGauges, static_cast<std::uint32_t>(Gauge::kBusyWorkers)), "busy workers");
  put_counter(track_of(kGauges, static_cast<std::uint32_t>(Gauge::kSegments)), "stack segments");
}

void PerfettoOutput::put_counter(std::uint64_t track, std::string_view name) {
  Message counter;
  counter.number(descriptor_fields::kCounterUnit, kUnitCount);
  Message descriptor;
  descriptor.number(descriptor_fields::kUuid, track);
  descriptor.text(descriptor_fields::kName, name);
  descriptor.number(descriptor_fields::kParent, track_of(kProcess, 0));
  descriptor.message(descriptor_fields::kCounter, counter);
  Message packet;
  packet.message(packet_fields::kTrackDescriptor, descriptor);
  put(packet);
}

void PerfettoOutput::worker(std::uint32_t worker) {
  char name[32];
  std::snprintf(name, sizeof name, "worker %02u", worker);
  Message descriptor;
  descriptor.number(descriptor_fields::kUuid, track_of(kWorkers, worker));
  descriptor.text(descriptor_fields::kName, name);
  descriptor.number(descriptor_fields::kParent, track_of(kProcess, 0));
  Message packet;
  packet.message(packet_fields::kTrackDescriptor, descriptor);
  put(packet);
}

void PerfettoOutput::begin(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
                           std::uint64_t arriving) {
  Message event = event_of(kBegin, track_of(kWorkers, worker));
  event.number(event_fields::kNameId, name.id);
  add_note(event, note);
  if (arriving != 0) event.fixed64(event_fields::kTerminatingFlows, arriving);
  put_event(ns, event, &name);
}

void PerfettoOutput::end(std::uint32_t worker, std::uint64_t ns) {
  put_event(ns, event_of(kEnd, track_of(kWorkers, worker)), nullptr);
}

void PerfettoOutput::instant(std::uint32_t worker, std::uint64_t ns, const Name &name, Note note,
                             std::uint64_t leaving, std::uint64_t arriving) {
  Message event = event_of(kInstant, track_of(kWorkers, worker));
  event.number(event_fields::kNameId, name.id);
  add_note(event, note);
  if (leaving != 0) event.fixed64(event_fields::kFlows, leaving);
  if (arriving != 0) event.fixed64(event_fields::kTerminatingFlows, arriving);
  put_event(ns, event, &name);
}

void PerfettoOutput::gauge(Gauge gauge, std::uint32_t worker, std::uint64_t ns,
                           std::uint64_t value) {
  const bool is_of_worker = gauge == Gauge::kDequeDepth;
  const std::uint64_t track = is_of_worker ? track_of(kDeques, worker)
                                           : track_of(kGauges, static_cast<std::uint32_t>(gauge));
  if (is_of_worker && deques_.insert(worker).second) {
    char name[48];
    std::snprintf(name, sizeof name, "worker %02u stealable", worker);
    put_counter(track, name);
  }
  Message event = event_of(kCounter, track);
  event.number(event_fields::kCounterValue, value);
  put_event(ns, event, nullptr);
}

}  // namespace nopal::trace
