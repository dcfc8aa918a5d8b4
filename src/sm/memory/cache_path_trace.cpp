// The trace events of a path's accesses.

#include <string_view>

#include "sm/memory/cache_path.h"

namespace heddle::sm {
namespace {

/// An access that does not look up data in a cache.
const trace::Kind kAccess{"lsu_access",
                          "an access without a cache look-up is made; cause: its kind",
                          {{"address", trace::kHex}}};

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
    case AccessQueue::Stall::bank_busy:
      return "bank_busy";
  }
  return {};
}

}  // namespace

trace::Event CachePath::event_of(const memory::Segment& segment, trace::Origin origin,
                                 Cycle at) const {
  return {.at = at,
          .origin = origin,
          .values = {cache_.address_of(cache_.line_of(segment.address)),
                     cache_.sectors_of(segment.address, segment.sectors, bytes_per_sector_bit_)}};
}

void CachePath::note_look_up(const QueuedInstruction& instruction, const L1Cache::Access& result,
                             Cycle at) {
  trace::Event event = event_of(instruction.segments[instruction.next], instruction.origin, at);
  switch (result.outcome) {
    case L1Cache::Outcome::hit:
      event.kind = &events_.hit;
      break;
    case L1Cache::Outcome::waits:
      event.kind = result.to_fetch != 0 ? &events_.miss : &events_.merged;
      break;
    default:
      event.kind = &events_.stalled;
      event.cause = name_of(stall_of(result.outcome));
  }
  shared_.trace.log()->note(event);
}

/// Records the hits of a load whose accesses all hit: one per cycle, from its earliest cycle on.
/// `known`: when the load completes.
void CachePath::note_hits(const QueuedInstruction& built, std::uint32_t token, Cycle known) {
  Cycle at = built.earliest;
  for (const memory::Segment& segment : built.segments) {
    trace::Event event = event_of(segment, built.origin, at);
    event.kind = &events_.hit;
    shared_.trace.log()->note(event);
    ++at;
  }
  shared_.trace.note_complete(token, known);
}

void CachePath::note_access(const QueuedInstruction& instruction, AccessQueue::Stall stall,
                            Cycle at) {
  const bool is_stalled = stall != AccessQueue::Stall::none;
  const bool has_address = instruction.kind != QueuedInstruction::Kind::scratchpad;
  shared_.trace.log()->note(
      {.at = at,
       .kind = is_stalled ? &events_.stalled : &kAccess,
       .origin = instruction.origin,
       .cause = is_stalled ? name_of(stall) : name_of(instruction.kind),
       .values = {has_address ? instruction.segments[instruction.next].address : trace::kNothing}});
}

void CachePath::note_fill(std::uint64_t line, memory::SectorMask sectors, Cycle at) {
  shared_.trace.log()->note(
      {.at = at, .kind = &events_.fill, .values = {cache_.address_of(line), sectors}});
}

}  // namespace heddle::sm
