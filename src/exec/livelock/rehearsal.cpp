#include "exec/livelock/rehearsal.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/operation_properties.h"
#include "exec/fault/fault_report.h"
#include "exec/livelock/actors.h"
#include "exec/livelock/memory_watch.h"
#include "exec/memory/deferred_atomic.h"
#include "exec/memory/global_memory.h"
#include "exec/system/reads_time.h"

namespace heddle::exec {
namespace {

/// Threads that spin come back sooner.
constexpr std::uint64_t kMostSteps = 1 << 11;
/// Threads that do not come back are of less interest.
constexpr std::uint64_t kMostQuietEffort = 1 << 20;
/// What it takes to copy a warp, in warp instructions.
constexpr std::uint64_t kCopyEffort = 128;

/// Whether threads can execute it while others stand still. `may_meet`: and others of their warp
/// that it concerns are known. What it stores is looked at besides.
bool can_be_rehearsed(const code::Instruction& instruction, bool is_in_call, bool may_meet) {
  using code::EffectsClass;
  using code::Operation;
  switch (code::properties_of(instruction.operation).effects) {
    case EffectsClass::pure:
    case EffectsClass::load:
    case EffectsClass::reads:
    case EffectsClass::store:
    case EffectsClass::hint:
      return true;
    case EffectsClass::special:
      return !reads_time(instruction);
    case EffectsClass::updates:
      return instruction.operation == Operation::atomic;
    case EffectsClass::active_lanes:
    case EffectsClass::across_lanes:
      return may_meet;
    case EffectsClass::ordered:
      return instruction.operation == Operation::branch ||
             instruction.operation == Operation::branch_indexed ||
             instruction.operation == Operation::call ||
             instruction.operation == Operation::call_indirect ||
             instruction.operation == Operation::nanosleep ||
             instruction.operation == Operation::copy_async_wait ||
             (instruction.operation == Operation::ret && is_in_call);
    case EffectsClass::synchronises:
      return instruction.operation == Operation::fence ||
             (instruction.operation == Operation::warp_sync && may_meet);
  }
  return false;
}

bool accesses_memory(const code::Instruction& instruction) {
  return instruction.operation == code::Operation::load ||
         instruction.operation == code::Operation::store ||
         instruction.operation == code::Operation::atomic;
}

/// Performs on memory what is still to be performed of an atomic, and takes that back. False where
/// some lane changes memory, even if a later one changes it back.
bool perform_and_restore(DeferredAtomic& atomic, const AtomicUnderWay& under_way) {
  const GlobalMemory& global = *under_way.row->context.memory.global;
  bool is_same = true;
  for (LaneMask left = atomic.lanes().without(under_way.performed); !left.empty();
       left = left.without_lowest()) {
    const int lane = left.lowest();
    MemoryWatch memory;
    memory.add(global.host(atomic.addresses()[static_cast<std::size_t>(lane)]), atomic.bytes());
    atomic.perform(LaneMask::of_lane(lane));
    is_same = memory.restore() && is_same;
  }
  return is_same;
}

/// Whether an atomic that is about to be executed leaves memory as it is, lane by lane, as it may
/// be performed in time. One that acts at once on all that it concerns may change something, and
/// back.
bool lanes_change_nothing(WarpCopy& copy, const Decoded& decoded) {
  DeferredAtomic atomic;
  return !atomic.capture(copy.context(), decoded) ||
         perform_and_restore(atomic, {.work = &atomic, .row = &copy.warp(), .performed = {}});
}

void add_step(Way& way, std::uint32_t pc, const std::optional<Watched>& watched) {
  way.first_pc = std::min(way.first_pc, pc);
  way.last_pc = std::max(way.last_pc, pc);
  ++way.instructions;
  if (!watched) return;
  const bool has_atomic = way.watched && way.watched->atomically;
  if (watched->atomically || !has_atomic) way.watched = watched;
}

/// One instruction. False where that cannot be rehearsed, or changes memory, which is taken back.
template <class Actor>
bool step(Actor& actor, Way& way, MemoryWatch& memory) {
  const bool is_in_call = actor.flow().top().frame != 0;
  const Decoded& decoded = actor.enter();
  const code::Instruction& instruction = actor.copies().front().context().code[decoded.index];
  bool any_active = false;
  for (WarpCopy& copy : actor.copies()) any_active = any_active || copy.context().active != 0;
  std::optional<Watched> watched;
  memory.forget();
  if (any_active) {
    if (!can_be_rehearsed(instruction, is_in_call, Actor::kMayMeet)) return false;
    if (accesses_memory(instruction)) {
      for (WarpCopy& copy : actor.copies()) {
        if (copy.context().active == 0) continue;
        const std::optional<Watched> found = watch_access(copy.context(), decoded, memory);
        if (!watched) watched = found;
        if (instruction.operation == code::Operation::atomic &&
            !lanes_change_nothing(copy, decoded)) {
          return false;
        }
      }
    }
  }
  add_step(way, decoded.index, watched);
  try {
    actor.execute(decoded);
  } catch (...) {
    memory.restore();
    throw;
  }
  return memory.restore();
}

}  // namespace

/// Brent's way to find a cycle: the state is kept after each power of two of steps, and compared
/// with until the next.
template <class Actor>
std::optional<Way> Rehearsal::follow(Actor& actor) {
  effort_ += kCopyEffort * actor.copies().size();
  std::optional<StrayAccesses::Pause> pause;
  GlobalMemory* const global = actor.copies().front().context().memory.global;
  if (global != nullptr) pause.emplace(global->strays());
  MemoryWatch memory;
  State<Actor> kept(actor);
  const auto fresh_way = [&] {
    const std::uint32_t pc = actor.flow().top().pc;
    return Way{.first_pc = pc, .last_pc = pc};
  };
  Way way = fresh_way();
  std::uint64_t keep_after = 1;
  try {
    for (std::uint64_t steps = 1; steps <= kMostSteps; ++steps) {
      effort_ += actor.copies().size();
      if (!step(actor, way, memory)) return std::nullopt;
      way.comes_back = kept.is_that_of(actor);
      if (way.comes_back) return way;
      if (steps < keep_after || steps == kMostSteps) continue;
      keep_after *= 2;
      kept = State<Actor>(actor);
      way = fresh_way();
    }
  } catch (const LaneFault&) {
    return std::nullopt;  // It will be found when they really come there.
  } catch (const SimulatedFault&) {
    return std::nullopt;
  }
  if (effort_ > kMostQuietEffort) return std::nullopt;
  is_quiet_ = true;
  return way;
}

std::optional<Way> Rehearsal::of_warp(Block& block, const Warp& warp) {
  SoloActor actor(block, warp);
  deliver_atomics(warp, actor.copies().front().context());
  return follow(actor);
}

std::optional<Way> Rehearsal::of_large_warp(const LargeWarpThreads& threads) {
  LargeActor actor(threads);
  for (std::size_t i = 0; i < actor.copies().size(); ++i) {
    deliver_atomics(*threads.rows()[i].warp, actor.copies()[i].context());
  }
  return follow(actor);
}

std::optional<Way> Rehearsal::of_thread(Block& block, const Warp& warp, int lane, std::uint32_t pc,
                                        const CallFrame& frame) {
  ThreadActor actor(block, warp, lane, pc, frame);
  deliver_atomics(warp, actor.copies().front().context());
  return follow(actor);
}

void Rehearsal::deliver_atomics(const Warp& row, LaneContext& context) const {
  for (const AtomicUnderWay& under_way : atomics_) {
    if (under_way.row != &row) continue;
    DeferredAtomic atomic = *under_way.work;
    perform_and_restore(atomic, under_way);
    atomic.deliver(context);
  }
}

bool Rehearsal::atomics_change_nothing() const {
  return std::all_of(atomics_.begin(), atomics_.end(), [](const AtomicUnderWay& under_way) {
    DeferredAtomic atomic = *under_way.work;
    return perform_and_restore(atomic, under_way);
  });
}

Standing standing_of(const Block& block, const Warp& warp, LaneMask lanes, const Way& way) {
  const Launch& launch = block.launch();
  Standing standing{
      .block = &block, .warp = warp.identity.warp, .lanes = lanes, .pc = way.first_pc};
  standing.what =
      fmt::format("{} {} instructions", way.comes_back ? "repeating" : "running", way.instructions);
  if (way.last_pc != way.first_pc) {
    standing.what += fmt::format(", the last at {}", place_of(*launch.program, way.last_pc));
  }
  if (!way.watched) return standing;
  const Watched& watched = *way.watched;
  standing.what +=
      fmt::format(", which {} {} bytes at {:#x}, {}, that hold {:#x}",
                  watched.atomically ? "try to change" : "read", watched.bytes, watched.address,
                  watched.is_shared ? "of shared memory"
                                    : launch.memory->describe(watched.address, watched.bytes),
                  watched.value);
  return standing;
}

}  // namespace heddle::exec
