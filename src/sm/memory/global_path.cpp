#include "sm/memory/global_path.h"

#include <utility>

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

/// Null if nothing is prefetched.
std::unique_ptr<PrefetchUnit> make_prefetch_unit(const PrefetchDescription& description,
                                                 CachePath& l1, GlobalStores& stores,
                                                 SharedParts& shared) {
  std::unique_ptr<Prefetcher> prefetcher = make_prefetcher(description);
  if (prefetcher == nullptr) return nullptr;
  return std::make_unique<PrefetchUnit>(std::move(prefetcher), description, l1, stores, shared);
}

}  // namespace

GlobalPath::GlobalPath(const LoadStoreDescription& description, SharedParts& shared,
                       BankArbiter* banks)
    : CachePath(description.lsu.queue, L1Cache(description.l1.cache, "l1"),
                description.coalescer.shape.sector_bytes, kL1Events, shared, banks),
      address_cycles_(description.lsu.address_cycles),
      l1_present_(description.l1.present),
      sector_bytes_(description.coalescer.shape.sector_bytes),
      line_bytes_(description.l1.cache.line_bytes),
      coalescer_(description.coalescer.shape),
      stores_(description, *this, shared),
      atomics_(description, *this, stores_, shared),
      prefetch_(make_prefetch_unit(description.l1.prefetch, *this, stores_, shared)) {}

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
  const std::optional<Cycle> known = enqueue(instruction, built, at);
  if (known && prefetch_ != nullptr) observe_hits(built);
  return known;
}

/// Reports the accesses of a load whose accesses all hit, which are made one per cycle.
void GlobalPath::observe_hits(const QueuedInstruction& built) {
  DemandAccess access{.line_bytes = line_bytes_, .warp = built.origin.warp, .pc = built.origin.pc};
  for (const memory::Segment& segment : built.segments) {
    access.line = cache().line_of(segment.address);
    access.address = built.addresses[access.index];
    prefetch_->observe(access, built.origin, built.earliest + Cycles(access.index));
    ++access.index;
  }
}

void GlobalPath::observe_look_up(const QueuedInstruction& instruction,
                                 const L1Cache::Access& result, Cycle at) {
  using Outcome = DemandAccess::Outcome;
  const bool is_hit = result.outcome == L1Cache::Outcome::hit;
  prefetch_->observe({.line = cache().line_of(instruction.segments[instruction.next].address),
                      .address = instruction.addresses[instruction.next],
                      .line_bytes = line_bytes_,
                      .outcome = is_hit                 ? Outcome::hit
                                 : result.to_fetch != 0 ? Outcome::miss
                                                        : Outcome::merged,
                      .warp = instruction.origin.warp,
                      .pc = instruction.origin.pc,
                      .index = instruction.next},
                     instruction.origin, at);
}

void GlobalPath::build_load(const MemoryInstruction& instruction, QueuedInstruction& built) {
  const bool is_uncached = !l1_present_ || !instruction.cached;
  if (is_uncached) built.kind = QueuedInstruction::Kind::uncached_load;
  if (prefetch_ != nullptr) {
    for (std::size_t i = 0; i < built.segments.size(); ++i) {
      const auto lane = static_cast<std::size_t>(built.segments[i].lanes.lowest());
      built.addresses[i] = (*instruction.addresses)[lane];
    }
  }
  if (instruction.context != ContextKind::normal) return;
  MemoryCounters& counters = shared().counters;
  ++(instruction.local ? counters.local_loads : counters.global_loads);
  counters.load_segments += built.segments.size();
  if (is_uncached) counters.uncached_segments += built.segments.size();
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
      stall = store(instruction, at);
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
  if (banks() != nullptr && waits_for_bank(instruction, at)) return Stall::bank_busy;
  const L1Cache::Access result = look_up(instruction, at, done);
  if (instruction.is_ahead && result.to_fetch != 0) ++shared().counters.ahead_misses;
  if (result.evicted.dirty != 0) stores_.write_back_evicted(result.evicted, instruction.origin, at);
  const Stall stall = stall_of(result.outcome);
  if (prefetch_ != nullptr && stall == Stall::none) observe_look_up(instruction, result, at);
  return stall;
}

inline GlobalPath::Stall GlobalPath::store(const QueuedInstruction& instruction, Cycle at) {
  if (banks() != nullptr && instruction.write_policy == WritePolicy::through) {
    const std::uint64_t line = cache().line_of(instruction.segments[instruction.next].address);
    if (cache().has_line(line) && shared().crossbar.can_send(at) &&
        !banks()->write(banks()->bank_of_line(line), at)) {
      return Stall::bank_busy;
    }
  }
  return stores_.access(instruction, at);
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

namespace {

/// Whether the banks that the scratchpad shares with registers serve a pass at `at`.
bool accesses_banks(BankArbiter& banks, MemoryAction action, memory::BankSet of_pass, Cycle at) {
  switch (action) {
    case MemoryAction::load:
      return banks.read(of_pass, at);
    case MemoryAction::store:
      return banks.write(of_pass, at);
    case MemoryAction::atomic:
      break;
  }
  return banks.read_and_write_later(of_pass, at);
}

}  // namespace

/// The scratchpad is one memory with the L1: the access occupies it for one cycle per pass.
GlobalPath::Stall GlobalPath::access_scratchpad(const QueuedInstruction& instruction, Cycle at,
                                                std::vector<MemoryCompletion>& done) {
  if (banks() != nullptr &&
      !accesses_banks(*banks(), instruction.action, instruction.pass_banks[instruction.next], at)) {
    return Stall::bank_busy;
  }
  if (shared().trace.log() != nullptr) note_access(instruction, Stall::none, at);
  if (instruction.reports_completion) {
    shared().loads.complete_part(instruction.load, at + instruction.scratchpad_latency, done);
  }
  return Stall::none;
}

}  // namespace heddle::sm
