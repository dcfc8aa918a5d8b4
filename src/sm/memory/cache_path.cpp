#include "sm/memory/cache_path.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace heddle::sm {

CachePath::CachePath(std::uint32_t queue, L1Cache cache, std::uint32_t bytes_per_sector_bit,
                     const CacheEvents& events, SharedParts& shared, BankArbiter* banks)
    : queue_(queue),
      cache_(std::move(cache)),
      bytes_per_sector_bit_(bytes_per_sector_bit),
      events_(events),
      shared_(shared),
      banks_(banks) {}

/// If a load waits for no earlier access and all its accesses hit, completes it at once and returns
/// the cycle of its completion. The accesses are made now, although their cycles are in the future:
/// no line can be evicted before then. A prefetch waits until all booked accesses have been made.
[[gnu::always_inline]] inline std::optional<Cycle> CachePath::complete_if_all_hit(
    const QueuedInstruction& built) {
  if (!queue_.is_free_at(built.earliest) || banks_ != nullptr) return std::nullopt;
  for (const memory::Segment& segment : built.segments) {
    if (!cache_.would_hit(
            cache_.line_of(segment.address),
            cache_.sectors_of(segment.address, segment.sectors, bytes_per_sector_bit_))) {
      return std::nullopt;
    }
  }
  for (const memory::Segment& segment : built.segments) cache_.hit(cache_.line_of(segment.address));
  const auto accesses = static_cast<std::uint32_t>(built.segments.size());
  queue_.occupy(built.earliest, std::max(accesses, built.min_cycles));
  return built.earliest + Cycles(accesses - 1) + cache_.latency();
}

std::optional<Cycle> CachePath::enqueue(const MemoryInstruction& instruction,
                                        QueuedInstruction& built, Cycle at) {
  const bool is_traced = shared_.trace.log() != nullptr;
  if (is_traced) shared_.trace.note_received(instruction, built.segments.size(), at);
  if (built.kind == QueuedInstruction::Kind::load) {
    for (const memory::Segment& segment : built.segments) {
      cache_.prefetch(cache_.line_of(segment.address));
    }
    if (const std::optional<Cycle> known = complete_if_all_hit(built)) {
      if (is_traced) note_hits(built, instruction.token, *known);
      return known;
    }
  }
  append(built, instruction.token);
  return std::nullopt;
}

void CachePath::append(QueuedInstruction& built, std::uint32_t token) {
  built.next = 0;
  if (built.reports_completion) {
    built.load = shared_.loads.begin(token, static_cast<std::uint32_t>(built.segments.size()));
  }
  queue_.append_draft();
}

L1Cache::Access CachePath::look_up(const QueuedInstruction& instruction, Cycle at,
                                   std::vector<MemoryCompletion>& done) {
  const memory::Segment& segment = instruction.segments[instruction.next];
  const std::uint64_t line = cache_.line_of(segment.address);
  const L1Cache::Access result = cache_.access(
      line, cache_.sectors_of(segment.address, segment.sectors, bytes_per_sector_bit_),
      instruction.load, shared_.crossbar.can_send(at));
  if (shared_.trace.log() != nullptr) note_look_up(instruction, result, at);
  if (result.outcome == L1Cache::Outcome::hit) {
    shared_.loads.complete_part(instruction.load, at + cache_.latency(), done);
  } else if (result.to_fetch != 0) {
    fetch(line, result.to_fetch, instruction.load, at, instruction.origin);
  }
  return result;
}

void CachePath::access_load(Cycle at, std::vector<MemoryCompletion>& done) {
  const L1Cache::Access result = look_up(begin_attempt(at), at, done);
  assert(result.evicted.dirty == 0);
  end_attempt(stall_of(result.outcome), at);
}

void CachePath::fill(std::uint64_t line, memory::SectorMask sectors, Cycle at,
                     std::vector<MemoryCompletion>& done) {
  if (shared_.trace.log() != nullptr) note_fill(line, sectors, at);
  if (banks_ != nullptr) banks_->fill(line, at);
  cache_.fill(line, sectors,
              [&](std::uint32_t load) { shared_.loads.complete_part(load, at, done); });
  queue_.retry(at);
}

}  // namespace heddle::sm
