// The load-store unit's trace events.

#include <array>
#include <string_view>

#include "sm/memory/load_store_unit.h"

namespace heddle::sm {
namespace {

using trace::kHex;
using trace::Kind;

/// An instruction enters the unit. The event's cause is its path.
const std::array<Kind, 3> kReceived{
    {{"lsu_load",
      "a load enters the load-store unit; cause: the memory that it accesses",
      {{"lanes"}, {"accesses"}}},
     {"lsu_store",
      "a store enters the load-store unit; cause: the memory that it accesses",
      {{"lanes"}, {"accesses"}}},
     {"lsu_atomic",
      "an atomic enters the load-store unit; cause: the memory that it accesses",
      {{"lanes"}, {"accesses"}}}}};

/// An access that does not look up data in a cache.
const Kind kAccess{"lsu_access",
                   "an access without a cache look-up is made; cause: its kind",
                   {{"address", kHex}}};

/// A store whose data stay in the L1.
const Kind kStoreHit{
    "l1_store_hit", "a store is kept in its L1 line", {{"line", kHex}, {"sectors", kHex}}};
const Kind kStoreMiss{
    "l1_store_miss", "an L1 line is allocated for a store", {{"line", kHex}, {"sectors", kHex}}};
const Kind kWrittenBack{"l1_written_back",
                        "a line's dirty sectors are written back; cause: why",
                        {{"line", kHex}, {"dirty", kHex}}};

/// The events of look-ups in a cache, and of fills.
struct CacheKinds {
  Kind hit, miss, merged, stalled, fill;
};
/// By path: global, constant, texture.
const std::array<CacheKinds, 3> kCaches{
    {{{"l1_hit", "an access hits", {{"line", kHex}, {"sectors", kHex}}},
      {"l1_miss",
       "an access misses, and its data are fetched",
       {{"line", kHex}, {"sectors", kHex}}},
      {"l1_merged",
       "an access misses, but its data are being fetched already",
       {{"line", kHex}, {"sectors", kHex}}},
      {"l1_stalled", "an access stalls, and so do those after it; cause: why", {{"line", kHex}}},
      {"l1_fill", "data from memory fill sectors of a line", {{"line", kHex}, {"sectors", kHex}}}},
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

const Kind kResponded{
    "response_received", "a response has passed the multiprocessor's port", {{"request"}}};
const Kind kComplete{"lsu_complete", "a load's data can be used, or an atomic is done"};

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
    case AccessQueue::Stall::whole_set_pending:
      return "set_pending";
    case AccessQueue::Stall::send_full:
      return "send_full";
  }
  return {};
}

}  // namespace

void LoadStoreUnit::note_received(const MemoryInstruction& instruction, std::size_t accesses,
                                  Cycle at) {
  log_->note({.at = at,
              .kind = &kReceived[static_cast<std::size_t>(instruction.action)],
              .origin = instruction.origin,
              .cause = name_of(instruction),
              .values = {static_cast<std::uint64_t>(instruction.lanes.count()), accesses}});
  if (instruction.action == MemoryAction::store) return;
  if (origins_.size() <= instruction.token) origins_.resize(instruction.token + std::size_t{1});
  origins_[instruction.token] = instruction.origin;
}

/// The event for an access to a cache, complete except for its kind.
trace::Event LoadStoreUnit::event_of(std::size_t path, const memory::Segment& segment,
                                     trace::Origin origin, Cycle at) const {
  const L1Cache& cache = paths_[path].cache;
  return {.at = at,
          .origin = origin,
          .values = {cache.address_of(cache.line_of(segment.address)),
                     cache.sectors_of(segment.address, segment.sectors,
                                      paths_[path].bytes_per_sector_bit)}};
}

void LoadStoreUnit::note_look_up(std::size_t path, const QueuedInstruction& instruction,
                                 const L1Cache::Access& result, Cycle at) {
  const CacheKinds& events = kCaches[path];
  trace::Event event =
      event_of(path, instruction.segments[instruction.next], instruction.origin, at);
  switch (result.outcome) {
    case L1Cache::Outcome::hit:
      event.kind = &events.hit;
      break;
    case L1Cache::Outcome::waits:
      event.kind = result.to_fetch != 0 ? &events.miss : &events.merged;
      break;
    default:
      event.kind = &events.stalled;
      event.cause = name_of(stall_of(result.outcome));
  }
  log_->note(event);
}

/// Records the hits of a load whose accesses all hit: one per cycle, from its earliest cycle on.
/// `known`: when the load completes.
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

void LoadStoreUnit::note_store_in_l1(const QueuedInstruction& instruction, bool has_line,
                                     Cycle at) {
  trace::Event event =
      event_of(kGlobal, instruction.segments[instruction.next], instruction.origin, at);
  event.kind = has_line ? &kStoreHit : &kStoreMiss;
  log_->note(event);
}

void LoadStoreUnit::note_written_back(const L1Cache::Eviction& written, const Reason& reason,
                                      Cycle at) {
  log_->note({.at = at,
              .kind = &kWrittenBack,
              .origin = reason.origin,
              .cause = reason.cause,
              .values = {paths_[kGlobal].cache.address_of(written.line), written.dirty}});
}

void LoadStoreUnit::note_response(const ResponsePort::ReceivedResponse& response,
                                  const PendingResponse& expected) {
  log_->note({.at = response.at, .kind = &kResponded, .values = {response.token}});
  if (expected.path == kNoCache || expected.responses > 1) return;
  log_->note({.at = response.at,
              .kind = &kCaches[expected.path].fill,
              .values = {paths_[expected.path].cache.address_of(expected.line), expected.sectors}});
}

void LoadStoreUnit::note_complete(std::uint32_t token, Cycle at) {
  log_->note({.at = at, .kind = &kComplete, .origin = origins_[token]});
}

}  // namespace heddle::sm
