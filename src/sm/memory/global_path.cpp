#include "sm/memory/global_path.h"

namespace heddle::sm {
namespace {

using trace::kHex;

const CacheEvents kL1Events{
    .hit = {"l1_hit", "an access hits", {{"line", kHex}, {"sectors", kHex}}},
    .miss = {"l1_miss",
             "an access misses, and its data are fetched",
             {{"line", kHex}, {"sectors", kHex}}},
    .merged = {"l1_merged",
               "an access misses, but its data are being fetched already",
               {{"line", kHex}, {"sectors", kHex}}},
    .stalled = {"l1_stalled",
                "an access stalls, and so do those after it; cause: why",
                {{"line", kHex}}},
    .fill = {
        "l1_fill", "data from memory fill sectors of a line", {{"line", kHex}, {"sectors", kHex}}}};

}  // namespace

GlobalPath::GlobalPath(const LoadStoreDescription& description, SharedParts& shared)
    : CachePath(description.lsu.queue, L1Cache(description.l1.cache, "l1"),
                description.coalescer.shape.sector_bytes, kL1Events, shared),
      address_cycles_(description.lsu.address_cycles),
      l1_present_(description.l1.present),
      sector_bytes_(description.coalescer.shape.sector_bytes),
      coalescer_(description.coalescer.shape),
      stores_(description, *this, shared),
      atomics_(description, *this, stores_, shared) {}

std::optional<Cycle> GlobalPath::add(const MemoryInstruction& instruction, Cycle at) {
  QueuedInstruction& built = draft(instruction, at + address_cycles_);
  if (instruction.action == MemoryAction::atomic) {
    atomics_.build(instruction, built);
  } else {
    coalescer_.coalesce(*instruction.addresses, instruction.lanes, instruction.bytes_per_lane,
                        built.segments);
    if (instruction.action == MemoryAction::store) {
      stores_.build(instruction, built);
    } else {
      build_load(instruction, built);
    }
  }
  return enqueue(instruction, built, at);
}

void GlobalPath::build_load(const MemoryInstruction& instruction, QueuedInstruction& built) {
  MemoryCounters& counters = shared().counters;
  ++(instruction.local ? counters.local_loads : counters.global_loads);
  counters.load_segments += built.segments.size();
  if (l1_present_ && instruction.cached) return;
  built.kind = QueuedInstruction::Kind::uncached_load;
  counters.uncached_segments += built.segments.size();
}

void GlobalPath::access(Cycle at, std::vector<MemoryCompletion>& done) {
  const QueuedInstruction& instruction = begin_attempt(at);
  Stall stall = Stall::none;
  switch (instruction.kind) {
    case QueuedInstruction::Kind::load:
      stall = load(instruction, at, done);
      break;
    case QueuedInstruction::Kind::uncached_load:
      stall = load_uncached(instruction, at);
      break;
    case QueuedInstruction::Kind::store:
      stall = stores_.access(instruction, at);
      break;
    case QueuedInstruction::Kind::atomic:
      stall = atomics_.access(instruction, at);
      break;
    case QueuedInstruction::Kind::scratchpad:
      stall = access_scratchpad(instruction, at, done);
      break;
  }
  end_attempt(stall, at);
}

inline GlobalPath::Stall GlobalPath::load(const QueuedInstruction& instruction, Cycle at,
                                          std::vector<MemoryCompletion>& done) {
  const L1Cache::Access result = look_up(instruction, at, done);
  if (result.evicted.dirty != 0) stores_.write_back_evicted(result.evicted, instruction.origin, at);
  return stall_of(result.outcome);
}

GlobalPath::Stall GlobalPath::load_uncached(const QueuedInstruction& instruction, Cycle at) {
  const Stall stall = shared().crossbar.can_send(at) ? Stall::none : Stall::send_full;
  if (shared().trace.log() != nullptr) note_access(instruction, stall, at);
  if (stall != Stall::none) return stall;
  const memory::Segment& segment = instruction.segments[instruction.next];
  stores_.clean_line(segment, {.origin = instruction.origin, .cause = "uncached_load"}, at);
  shared().crossbar.read(
      {.address = segment.address, .mask = segment.sectors, .grain = sector_bytes_},
      {.load = instruction.load}, at, instruction.origin);
  return stall;
}

/// The scratchpad is one memory with the L1: the access occupies it for one cycle per pass.
GlobalPath::Stall GlobalPath::access_scratchpad(const QueuedInstruction& instruction, Cycle at,
                                                std::vector<MemoryCompletion>& done) {
  if (shared().trace.log() != nullptr) note_access(instruction, Stall::none, at);
  if (instruction.reports_completion) {
    shared().loads.complete_part(instruction.load, at + instruction.scratchpad_latency, done);
  }
  return Stall::none;
}

}  // namespace heddle::sm
