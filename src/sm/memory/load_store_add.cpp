// How instructions enter the load-store unit: they are coalesced, counted and queued.

#include <algorithm>
#include <cassert>

#include "sm/memory/load_store_unit.h"
#include "sm/memory/touched_pieces.h"

namespace heddle::sm {
namespace {

constexpr std::uint32_t kWordBytes = 4;

}  // namespace

std::optional<Cycle> LoadStoreUnit::add(const MemoryInstruction& instruction, Cycle at) {
  assert(at >= now_ && !instruction.lanes.empty());
  if (instruction.path == MemoryPath::shared) return add_shared(instruction, at);

  const std::size_t path = instruction.path == MemoryPath::constant  ? kConstant
                           : instruction.path == MemoryPath::texture ? kTexture
                                                                     : kGlobal;
  QueuedInstruction& built = paths_[path].queue.draft();
  built.kind = Kind::load;
  built.earliest = at;
  built.min_cycles = 1;
  built.reports_completion = instruction.action != MemoryAction::store;
  switch (instruction.path) {
    case MemoryPath::constant:
      assert(instruction.action == MemoryAction::load);
      find_touched_pieces(*instruction.addresses, instruction.lanes,
                          std::max(instruction.bytes_per_lane, kWordBytes), built.segments);
      ++counters_.constant_loads;
      break;
    case MemoryPath::texture:
      assert(instruction.action == MemoryAction::load);
      find_touched_pieces(*instruction.addresses, instruction.lanes,
                          paths_[kTexture].bytes_per_sector_bit, built.segments);
      built.min_cycles = texture_cycles_;
      ++counters_.texture_loads;
      break;
    case MemoryPath::global:
    case MemoryPath::shared:
      built.earliest = at + address_cycles_;
      build_global(instruction, built);
      break;
  }
  built.origin = instruction.origin;
  if (log_ != nullptr) note_received(instruction, built.segments.size(), at);
  return enqueue(path, built, instruction.token);
}

std::optional<Cycle> LoadStoreUnit::add_shared(const MemoryInstruction& instruction, Cycle at) {
  if (instruction.local) {
    ++(instruction.action == MemoryAction::store ? counters_.local_stores : counters_.local_loads);
  }
  const std::uint32_t passes = scratchpad_.count_passes(instruction);
  if (log_ != nullptr) note_received(instruction, passes, at);
  if (scratchpad_uses_l1_queue_) {
    QueuedInstruction& built = paths_[kGlobal].queue.draft();
    built.kind = Kind::scratchpad;
    built.earliest = at;
    built.min_cycles = passes;
    built.reports_completion = instruction.action != MemoryAction::store;
    // One access stands for all passes.
    built.segments.clear();
    built.segments.push_back({});
    built.origin = instruction.origin;
    return enqueue(kGlobal, built, instruction.token);
  }
  const Cycle usable = scratchpad_.access(passes, at);
  if (instruction.action == MemoryAction::store) return std::nullopt;
  if (log_ != nullptr) note_complete(instruction.token, usable);
  return usable;
}

void LoadStoreUnit::build_global(const MemoryInstruction& instruction, QueuedInstruction& built) {
  if (instruction.action == MemoryAction::atomic) return build_atomic(instruction, built);
  coalescer_.coalesce(*instruction.addresses, instruction.lanes, instruction.bytes_per_lane,
                      built.segments);
  if (instruction.action == MemoryAction::store) {
    built.kind = Kind::store;
    built.write_policy = instruction.local ? local_writes_ : global_writes_;
    built.load = L1Cache::kNoLoad;
    ++(instruction.local ? counters_.local_stores : counters_.global_stores);
    counters_.store_segments += built.segments.size();
    return;
  }
  ++(instruction.local ? counters_.local_loads : counters_.global_loads);
  counters_.load_segments += built.segments.size();
  if (l1_present_ && instruction.cached) return;
  built.kind = Kind::uncached_load;
  counters_.uncached_segments += built.segments.size();
}

void LoadStoreUnit::build_atomic(const MemoryInstruction& instruction, QueuedInstruction& built) {
  built.kind = Kind::atomic;
  built.bytes_per_lane = instruction.bytes_per_lane;
  built.wants_old_values = instruction.wants_old_values;
  built.work = instruction.work;
  atomic_coalescer_.coalesce(*instruction.addresses, instruction.lanes, instruction.bytes_per_lane,
                             built.segments);
  for (std::size_t i = 0; i < built.segments.size(); ++i) {
    built.passes[i] = max_lanes_per_address(*instruction.addresses, built.segments[i].lanes);
  }
  ++counters_.atomics;
  counters_.atomic_segments += built.segments.size();
}

/// If a load waits for no earlier access and all its accesses hit, completes it at once and returns
/// the cycle of its completion. The accesses are made now, although their cycles are in the future:
/// no line can be evicted before then.
std::optional<Cycle> LoadStoreUnit::complete_if_all_hit(CachedPath& path,
                                                        const QueuedInstruction& built) {
  if (built.kind != Kind::load || !path.queue.is_free_at(built.earliest)) return std::nullopt;
  L1Cache& cache = path.cache;
  for (const memory::Segment& segment : built.segments) {
    if (!cache.would_hit(
            cache.line_of(segment.address),
            cache.sectors_of(segment.address, segment.sectors, path.bytes_per_sector_bit))) {
      return std::nullopt;
    }
  }
  for (const memory::Segment& segment : built.segments) cache.hit(cache.line_of(segment.address));
  const auto accesses = static_cast<std::uint32_t>(built.segments.size());
  path.queue.occupy(built.earliest, std::max(accesses, built.min_cycles));
  return built.earliest + Cycles(accesses - 1) + cache.latency();
}

std::optional<Cycle> LoadStoreUnit::enqueue(std::size_t path, QueuedInstruction& built,
                                            std::uint32_t token) {
  if (built.kind == Kind::load) {
    const L1Cache& cache = paths_[path].cache;
    for (const memory::Segment& segment : built.segments) {
      cache.prefetch(cache.line_of(segment.address));
    }
  }
  if (const std::optional<Cycle> known = complete_if_all_hit(paths_[path], built)) {
    if (log_ != nullptr) note_hits(path, built, token, *known);
    return known;
  }
  built.next = 0;
  if (built.reports_completion) {
    const std::size_t parts = built.segments.size();
    built.load = loads_.begin(token, static_cast<std::uint32_t>(parts));
  }
  AccessQueue& queue = paths_[path].queue;
  queue.append_draft();
  update_next_events(queue);
  return std::nullopt;
}

}  // namespace heddle::sm
