// Stores, atomics and write-backs in the load-store unit.

#include <algorithm>
#include <bit>

#include "sm/memory/load_store_unit.h"

namespace heddle::sm {

/// Sends a write-through store to memory, and updates the line in the L1, if it is there.
[[gnu::always_inline]] inline void LoadStoreUnit::send_store(const QueuedInstruction& instruction,
                                                             bool has_line, Cycle at) {
  const memory::Segment& segment = instruction.segments[instruction.next];
  if (has_line) {
    L1Cache& l1 = paths_[kGlobal].cache;
    const std::uint64_t line = l1.line_of(segment.address);
    if (instruction.write_policy == WritePolicy::evict) {
      l1.invalidate(line);
    } else {
      l1.use(line);
    }
  }
  sender_.write({.address = segment.address, .mask = segment.sectors, .grain = sector_bytes_}, at,
                instruction.origin);
}

/// Makes an access of a store. Returns why it stalls, if it does.
LoadStoreUnit::Stall LoadStoreUnit::access_store(const QueuedInstruction& instruction, Cycle at) {
  L1Cache& l1 = paths_[kGlobal].cache;
  const std::uint64_t line = l1.line_of(instruction.segments[instruction.next].address);
  const bool has_line = l1_present_ && l1.has_line(line);
  const bool stays_in_l1 = instruction.write_policy == WritePolicy::back ||
                           (instruction.write_policy == WritePolicy::back_no_allocate && has_line);
  Stall stall = Stall::none;
  if (stays_in_l1) {
    stall = store_in_l1(instruction, has_line, at);
  } else {
    if (!sender_.can_send(at)) stall = Stall::send_full;
    if (log_ != nullptr) note_access(kGlobal, instruction, stall, at);
    if (stall == Stall::none) send_store(instruction, has_line, at);
  }
  if (l1_present_ && stall == Stall::none) {
    ++(has_line ? l1_writes_.store_hits : l1_writes_.store_misses);
  }
  return stall;
}

LoadStoreUnit::Stall LoadStoreUnit::store_in_l1(const QueuedInstruction& instruction, bool has_line,
                                                Cycle at) {
  L1Cache& l1 = paths_[kGlobal].cache;
  const memory::Segment& segment = instruction.segments[instruction.next];
  const std::uint64_t line = l1.line_of(segment.address);
  const L1Cache::Access result = l1.store(
      line, l1.sectors_of(segment.address, segment.sectors, sector_bytes_),
      l1.covered_by(segment.address, segment.sectors, sector_bytes_), sender_.can_send(at));
  const Stall stall = stall_of(result.outcome);
  if (log_ != nullptr) {
    note_access(kGlobal, instruction, stall, at);
    if (stall == Stall::none) note_store_in_l1(instruction, has_line, at);
  }
  if (result.to_fetch != 0) fetch(kGlobal, line, result.to_fetch, instruction, at);
  if (result.evicted.dirty != 0) {
    write_back(result.evicted, {.origin = instruction.origin, .cause = "evicted"}, at);
  }
  return stall;
}

/// Writes back the dirty sectors of the line that the instruction accesses next. An access that
/// bypasses the L1 then finds earlier stores in memory.
void LoadStoreUnit::clean_line(const QueuedInstruction& instruction, std::string_view cause,
                               Cycle at) {
  if (!l1_writes_back_) return;
  L1Cache& l1 = paths_[kGlobal].cache;
  const std::uint64_t line = l1.line_of(instruction.segments[instruction.next].address);
  const memory::SectorMask dirty = l1.clean(line);
  if (dirty == 0) return;
  write_back({.line = line, .dirty = dirty}, {.origin = instruction.origin, .cause = cause}, at);
}

bool LoadStoreUnit::write_back_all(Cycle at) {
  if (!l1_writes_back_) return false;
  const std::uint64_t before = l1_writes_.writebacks;
  paths_[kGlobal].cache.clean_all([&](std::uint64_t line, memory::SectorMask dirty) {
    write_back({.line = line, .dirty = dirty}, {.cause = "kernel_end"}, at);
  });
  return l1_writes_.writebacks != before;
}

void LoadStoreUnit::write_back(const L1Cache::Eviction& written, const Reason& reason, Cycle at) {
  const L1Cache& l1 = paths_[kGlobal].cache;
  if (log_ != nullptr) note_written_back(written, reason, at);
  ++l1_writes_.writebacks;
  l1_writes_.writeback_bytes +=
      static_cast<std::uint64_t>(std::popcount(written.dirty)) * l1.sector_bytes();
  sender_.write(
      {.address = l1.address_of(written.line), .mask = written.dirty, .grain = l1.sector_bytes()},
      at, reason.origin);
}

void LoadStoreUnit::send_atomic(const QueuedInstruction& instruction, Cycle at) {
  const memory::Segment& segment = instruction.segments[instruction.next];
  L1Cache& l1 = paths_[kGlobal].cache;
  clean_line(instruction, "atomic", at);
  if (l1_present_) l1.invalidate(l1.line_of(segment.address));

  const auto first = static_cast<std::uint32_t>(std::countr_zero(segment.sectors));
  const auto sectors = static_cast<std::uint32_t>(std::bit_width(segment.sectors)) - first;
  const auto lanes = static_cast<std::uint32_t>(segment.lanes.count());
  const std::uint32_t register_bytes = std::max(instruction.bytes_per_lane, 4U);
  memory::Request request;
  request.address = segment.address + std::uint64_t{first} * sector_bytes_;
  request.bytes = sectors * sector_bytes_;
  request.kind = memory::RequestKind::atomic;
  request.token = pending_responses_.add({.responses = 1, .load = instruction.load});
  request.carried_bytes = instruction.bytes_per_lane * lanes;
  request.response_bytes = instruction.wants_old_values ? register_bytes * lanes : 0;
  request.passes = instruction.passes[instruction.next];
  request.lanes = segment.lanes;
  request.work = instruction.work;
  sender_.send(request, at, instruction.origin);
}

}  // namespace heddle::sm
