#include "sm/memory/global_stores.h"

#include <bit>

namespace heddle::sm {
namespace {

using trace::kHex;

/// A store whose data stay in the L1.
const trace::Kind kStoreHit{
    "l1_store_hit", "a store is kept in its L1 line", {{"line", kHex}, {"sectors", kHex}}};
const trace::Kind kStoreMiss{
    "l1_store_miss", "an L1 line is allocated for a store", {{"line", kHex}, {"sectors", kHex}}};
const trace::Kind kWrittenBack{"l1_written_back",
                               "a line's dirty sectors are written back; cause: why",
                               {{"line", kHex}, {"dirty", kHex}}};

WritePolicy policy_of(const L1Description& l1, std::string_view name) {
  return l1.present ? write_policy_of(name) : WritePolicy::through;
}

}  // namespace

GlobalStores::GlobalStores(const LoadStoreDescription& description, CachePath& l1,
                           SharedParts& shared)
    : path_(l1),
      shared_(shared),
      l1_present_(description.l1.present),
      global_writes_(policy_of(description.l1, description.l1.global_writes)),
      local_writes_(policy_of(description.l1, description.l1.local_writes)),
      l1_writes_back_(writes_back(global_writes_) || writes_back(local_writes_)),
      sector_bytes_(description.coalescer.shape.sector_bytes) {}

void GlobalStores::build(const MemoryInstruction& instruction, QueuedInstruction& built) {
  built.kind = QueuedInstruction::Kind::store;
  built.write_policy = instruction.local ? local_writes_ : global_writes_;
  built.load = L1Cache::kNoLoad;
  MemoryCounters& counters = shared_.counters;
  ++(instruction.local ? counters.local_stores : counters.global_stores);
  counters.store_segments += built.segments.size();
}

/// Sends a write-through store to memory, and updates the line in the L1, if it is there.
[[gnu::always_inline]] inline void GlobalStores::send(const QueuedInstruction& instruction,
                                                      bool has_line, Cycle at) {
  const memory::Segment& segment = instruction.segments[instruction.next];
  if (has_line) {
    L1Cache& l1 = path_.cache();
    const std::uint64_t line = l1.line_of(segment.address);
    if (instruction.write_policy == WritePolicy::evict) {
      l1.invalidate(line);
    } else {
      l1.use(line);
    }
  }
  shared_.crossbar.write(
      {.address = segment.address, .mask = segment.sectors, .grain = sector_bytes_}, at,
      instruction.origin);
}

AccessQueue::Stall GlobalStores::access(const QueuedInstruction& instruction, Cycle at) {
  using Stall = AccessQueue::Stall;
  const L1Cache& l1 = path_.cache();
  const std::uint64_t line = l1.line_of(instruction.segments[instruction.next].address);
  const bool has_line = l1_present_ && l1.has_line(line);
  const bool stays_in_l1 = instruction.write_policy == WritePolicy::back ||
                           (instruction.write_policy == WritePolicy::back_no_allocate && has_line);
  Stall stall = Stall::none;
  if (stays_in_l1) {
    stall = store_in_l1(instruction, has_line, at);
  } else {
    if (!shared_.crossbar.can_send(at)) stall = Stall::send_full;
    if (shared_.trace.log() != nullptr) path_.note_access(instruction, stall, at);
    if (stall == Stall::none) send(instruction, has_line, at);
  }
  if (l1_present_ && stall == Stall::none) {
    ++(has_line ? counters_.store_hits : counters_.store_misses);
  }
  return stall;
}

AccessQueue::Stall GlobalStores::store_in_l1(const QueuedInstruction& instruction, bool has_line,
                                             Cycle at) {
  L1Cache& l1 = path_.cache();
  const memory::Segment& segment = instruction.segments[instruction.next];
  const std::uint64_t line = l1.line_of(segment.address);
  const L1Cache::Access result =
      l1.store(line, l1.sectors_of(segment.address, segment.sectors, sector_bytes_),
               l1.covered_by(segment.address, segment.sectors, sector_bytes_),
               shared_.crossbar.can_send(at));
  const AccessQueue::Stall stall = stall_of(result.outcome);
  if (shared_.trace.log() != nullptr) {
    path_.note_access(instruction, stall, at);
    if (stall == AccessQueue::Stall::none) note_in_l1(instruction, has_line, at);
  }
  if (result.to_fetch != 0) {
    path_.fetch(line, result.to_fetch, instruction.load, at, instruction.origin);
  }
  if (result.evicted.dirty != 0) write_back_evicted(result.evicted, instruction.origin, at);
  return stall;
}

void GlobalStores::clean_line(const memory::Segment& segment, const Reason& reason, Cycle at) {
  if (!l1_writes_back_) return;
  L1Cache& l1 = path_.cache();
  const std::uint64_t line = l1.line_of(segment.address);
  const memory::SectorMask dirty = l1.clean(line);
  if (dirty != 0) write_back({.line = line, .dirty = dirty}, reason, at);
}

bool GlobalStores::write_back_all(Cycle at) {
  if (!l1_writes_back_) return false;
  const std::uint64_t before = counters_.writebacks;
  path_.cache().clean_all([&](std::uint64_t line, memory::SectorMask dirty) {
    write_back({.line = line, .dirty = dirty}, {.cause = "kernel_end"}, at);
  });
  return counters_.writebacks != before;
}

void GlobalStores::write_back(const L1Cache::Eviction& written, const Reason& reason, Cycle at) {
  const L1Cache& l1 = path_.cache();
  const std::uint64_t address = l1.address_of(written.line);
  if (trace::Log* const log = shared_.trace.log()) {
    log->note({.at = at,
               .kind = &kWrittenBack,
               .origin = reason.origin,
               .cause = reason.cause,
               .values = {address, written.dirty}});
  }
  ++counters_.writebacks;
  counters_.writeback_bytes +=
      static_cast<std::uint64_t>(std::popcount(written.dirty)) * l1.sector_bytes();
  shared_.crossbar.write({.address = address, .mask = written.dirty, .grain = l1.sector_bytes()},
                         at, reason.origin);
}

void GlobalStores::note_in_l1(const QueuedInstruction& instruction, bool has_line, Cycle at) {
  trace::Event event =
      path_.event_of(instruction.segments[instruction.next], instruction.origin, at);
  event.kind = has_line ? &kStoreHit : &kStoreMiss;
  shared_.trace.log()->note(event);
}

}  // namespace heddle::sm
