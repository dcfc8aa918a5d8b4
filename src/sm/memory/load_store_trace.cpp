// What the load-store unit writes into a trace.

#include <array>
#include <string_view>

#include "sm/memory/load_store_unit.h"

namespace heddle::sm {
namespace {

using trace::kHex;
using trace::Kind;

/// An instruction comes to the unit. Its path is given as the cause.
const std::array<Kind, 3> kTaken{
    {{"lsu_load",
      "a load comes to the load-store unit: to which memory",
      {{"lanes"}, {"accesses"}}},
     {"lsu_store", "a store comes to it: to which memory", {{"lanes"}, {"accesses"}}},
     {"lsu_atomic", "an atomic comes to it: to which memory", {{"lanes"}, {"accesses"}}}}};

/// An access that looks into no cache for its data.
const Kind kAccess{"lsu_access",
                   "an access that looks for no data in a cache is made: of what",
                   {{"address", kHex}}};

/// A store whose data stay in the L1.
const Kind kStoreHit{
    "l1_store_hit", "a store stays in its line", {{"line", kHex}, {"sectors", kHex}}};
const Kind kStoreMiss{
    "l1_store_miss", "a line is made for a store", {{"line", kHex}, {"sectors", kHex}}};
const Kind kWrittenBack{"l1_written_back",
                        "a line's dirty sectors leave for memory: why",
                        {{"line", kHex}, {"dirty", kHex}}};

/// Of a cache that loads look into.
struct CacheKinds {
  Kind hit, miss, merged, stalled, fill;
};
/// By path: global, constant, texture.
const std::array<CacheKinds, 3> kCaches{
    {{{"l1_hit", "an access finds its data", {{"line", kHex}, {"sectors", kHex}}},
      {"l1_miss", "an access has data fetched", {{"line", kHex}, {"sectors", kHex}}},
      {"l1_merged", "an access's data are on their way", {{"line", kHex}, {"sectors", kHex}}},
      {"l1_stalled", "an access cannot be made, nor those after it: why", {{"line", kHex}}},
      {"l1_fill", "data have come", {{"line", kHex}, {"sectors", kHex}}}},
     {{"constant_hit", "as l1_hit", {{"line", kHex}, {"sectors", kHex}}},
      {"constant_miss", "as l1_miss", {{"line", kHex}, {"sectors", kHex}}},
      {"constant_merged", "as l1_merged", {{"line", kHex}, {"sectors", kHex}}},
      {"constant_stalled", "as l1_stalled", {{"line", kHex}}},
      {"constant_fill", "as l1_fill", {{"line", kHex}, {"sectors", kHex}}}},
     {{"texture_hit", "as l1_hit", {{"line", kHex}, {"sectors", kHex}}},
      {"texture_miss", "as l1_miss", {{"line", kHex}, {"sectors", kHex}}},
      {"texture_merged", "as l1_merged", {{"line", kHex}, {"sectors", kHex}}},
      {"texture_stalled", "as l1_stalled", {{"line", kHex}}},
      {"texture_fill", "as l1_fill", {{"line", kHex}, {"sectors", kHex}}}}}};

const Kind kAnswered{
    "answer_received", "an answer has passed the multiprocessor's port", {{"request"}}};
const Kind kComplete{"lsu_complete", "what a load fetched can be used, or an atomic is done"};

std::string_view name_of(const MemoryInstruction& instruction) {
  switch (instruction.path) {
    case MemoryPath::global:
      return instruction.local ? "local" : "global";
    case MemoryPath::shared:
      return "shared";
    case MemoryPath::constant:
      return "constant";
    case MemoryPath::texture:
      return "texture";
  }
  return {};
}

std::string_view name_of(QueuedInstruction::Kind kind) {
  switch (kind) {
    case QueuedInstruction::Kind::load:
      return "load";
    case QueuedInstruction::Kind::uncached_load:
      return "uncached_load";
    case QueuedInstruction::Kind::store:
      return "store";
    case QueuedInstruction::Kind::atomic:
      return "atomic";
    case QueuedInstruction::Kind::scratchpad:
      return "scratchpad";
  }
  return {};
}

std::string_view name_of(AccessQueue::Stall stall) {
  switch (stall) {
    case AccessQueue::Stall::none:
      return {};
    case AccessQueue::Stall::mshrs_full:
      return "mshrs_full";
    case AccessQueue::Stall::merges_full:
      return "merges_full";
    case AccessQueue::Stall::set_pending:
      return "set_pending";
    case AccessQueue::Stall::send_full:
      return "send_full";
  }
  return {};
}

}  // namespace

void LoadStoreUnit::note_taken(const MemoryInstruction& instruction, std::size_t accesses,
                               Cycle at) {
  log_->note({.at = at,
              .kind = &kTaken[static_cast<std::size_t>(instruction.action)],
              .origin = instruction.origin,
              .cause = name_of(instruction),
              .values = {static_cast<std::uint64_t>(instruction.lanes.count()), accesses}});
  if (instruction.action == MemoryAction::store) return;
  if (origins_.size() <= instruction.token) origins_.resize(instruction.token + std::size_t{1});
  origins_[instruction.token] = instruction.origin;
}

/// An access to a cache that has not got its kind yet.
trace::Event LoadStoreUnit::event_of(std::size_t path, const memory::Segment& segment,
                                     trace::Origin origin, Cycle at) const {
  const NonblockingCache& cache = paths_[path].cache;
  return {
      .at = at,
      .origin = origin,
      .values = {cache.address_of(cache.line_of(segment.address)),
                 cache.sectors_of(segment.address, segment.sectors, paths_[path].touched_grain)}};
}

void LoadStoreUnit::note_look_up(std::size_t path, const QueuedInstruction& instruction,
                                 const NonblockingCache::Access& result, Cycle at) {
  const CacheKinds& events = kCaches[path];
  trace::Event event =
      event_of(path, instruction.segments[instruction.next], instruction.origin, at);
  switch (result.outcome) {
    case NonblockingCache::Outcome::hit:
      event.kind = &events.hit;
      break;
    case NonblockingCache::Outcome::waits:
      event.kind = result.to_fetch != 0 ? &events.miss : &events.merged;
      break;
    default:
      event.kind = &events.stalled;
      event.cause = name_of(stall_of(result.outcome));
  }
  log_->note(event);
}

/// Of a load whose accesses are made one a cycle from its earliest on.
void LoadStoreUnit::note_hits(std::size_t path, const QueuedInstruction& built, std::uint32_t token,
                              Cycle known) {
  Cycle at = built.earliest;
  for (const memory::Segment& segment : built.segments) {
    trace::Event event = event_of(path, segment, built.origin, at);
    event.kind = &kCaches[path].hit;
    log_->note(event);
    ++at;
  }
  note_complete(token, known);
}

void LoadStoreUnit::note_access(std::size_t path, const QueuedInstruction& instruction, Stall stall,
                                Cycle at) {
  const bool is_stalled = stall != Stall::none;
  const bool has_address = instruction.kind != Kind::scratchpad;
  log_->note(
      {.at = at,
       .kind = is_stalled ? &kCaches[path].stalled : &kAccess,
       .origin = instruction.origin,
       .cause = is_stalled ? name_of(stall) : name_of(instruction.kind),
       .values = {has_address ? instruction.segments[instruction.next].address : trace::kNothing}});
}

void LoadStoreUnit::note_kept(const QueuedInstruction& instruction, bool has_line, Cycle at) {
  trace::Event event =
      event_of(kGlobal, instruction.segments[instruction.next], instruction.origin, at);
  event.kind = has_line ? &kStoreHit : &kStoreMiss;
  log_->note(event);
}

void LoadStoreUnit::note_written_back(const NonblockingCache::Eviction& written,
                                      const Reason& reason, Cycle at) {
  log_->note({.at = at,
              .kind = &kWrittenBack,
              .origin = reason.origin,
              .cause = reason.cause,
              .values = {paths_[kGlobal].cache.address_of(written.line), written.dirty}});
}

void LoadStoreUnit::note_answer(const ResponsePort::Passed& passed, const Expected& expected) {
  log_->note({.at = passed.at, .kind = &kAnswered, .values = {passed.token}});
  if (expected.path == kNoCache || expected.answers > 1) return;
  log_->note({.at = passed.at,
              .kind = &kCaches[expected.path].fill,
              .values = {paths_[expected.path].cache.address_of(expected.line), expected.sectors}});
}

void LoadStoreUnit::note_complete(std::uint32_t token, Cycle at) {
  log_->note({.at = at, .kind = &kComplete, .origin = origins_[token]});
}

}  // namespace heddle::sm
