#include "exec/livelock/livelock_probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/operation_properties.h"
#include "exec/fault/fault_report.h"
#include "exec/livelock/memory_watch.h"
#include "exec/livelock/probed_threads.h"
#include "exec/memory/deferred_atomic.h"
#include "exec/memory/global_memory.h"
#include "exec/system/reads_time.h"

namespace heddle::exec {
namespace {

/// The maximum number of instructions of a probed path. Threads that spin return to an earlier
/// state sooner.
constexpr std::uint64_t kMaxSteps = 1 << 11;
/// The maximum effort of a probe, in warp instructions. Beyond it, threads that repeat no state
/// count as Activity::works instead of Activity::quiet.
constexpr std::uint64_t kMaxQuietEffort = 1 << 20;
/// The cost of copying a warp, in warp instructions.
constexpr std::uint64_t kCopyEffort = 128;

/// Whether a probe can execute the instruction on copies of threads. For stores and atomics, the
/// caller must also check whether they change memory. `has_whole_warp`: whether the copies include
/// all threads of the warp.
bool can_be_probed(const code::Instruction& instruction, bool is_in_call, bool has_whole_warp) {
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
      return has_whole_warp;
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
             (instruction.operation == Operation::warp_sync && has_whole_warp);
  }
  return false;
}

bool accesses_memory(const code::Instruction& instruction) {
  return instruction.operation == code::Operation::load ||
         instruction.operation == code::Operation::store ||
         instruction.operation == code::Operation::atomic;
}

/// Performs an atomic on memory, lane by lane, for the lanes that have not been performed yet, and
/// undoes each change at once. Returns false if any lane changes memory.
bool perform_and_restore(DeferredAtomic& atomic, const AtomicInFlight& in_flight) {
  const GlobalMemory& global = *in_flight.static_warp->context.memory.global;
  bool is_unchanged = true;
  for (LaneMask remaining = atomic.lanes().without(in_flight.performed_lanes); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const int lane = remaining.lowest();
    MemoryWatch memory;
    memory.add(global.host(atomic.addresses()[static_cast<std::size_t>(lane)]), atomic.bytes());
    atomic.perform(LaneMask::of_lane(lane));
    is_unchanged = memory.restore() && is_unchanged;
  }
  return is_unchanged;
}

/// Whether every single lane of an atomic leaves memory unchanged. With a timing model, the lanes
/// may be performed at different times. All lanes of an atomic that cannot be deferred are
/// performed at once. Returns true for such an atomic; the caller checks that its lanes together
/// leave memory unchanged.
bool lanes_leave_memory_unchanged(WarpCopy& copy, const Decoded& decoded) {
  DeferredAtomic atomic;
  return !atomic.capture(copy.context(), decoded) ||
         perform_and_restore(
             atomic, {.atomic = &atomic, .static_warp = &copy.warp(), .performed_lanes = {}});
}

/// Extends the path by the instruction at `pc`, which has accessed `watched`.
void add_step(ProbedPath& path, std::uint32_t pc, const std::optional<WatchedLocation>& watched) {
  path.first_pc = std::min(path.first_pc, pc);
  path.last_pc = std::max(path.last_pc, pc);
  ++path.instructions;
  if (!watched) return;
  const bool has_atomic = path.watched && path.watched->is_atomic;
  if (watched->is_atomic || !has_atomic) path.watched = watched;
}

/// Executes one instruction on the copies. Returns false if the instruction cannot be probed, or if
/// it changes memory; the change is then undone. `Actor` is a class of probed_threads.h.
template <class Actor>
bool step(Actor& actor, ProbedPath& path, MemoryWatch& memory) {
  const bool is_in_call = actor.flow().top().frame != 0;
  const Decoded& decoded = actor.enter();
  const code::Instruction& instruction = actor.copies().front().context().code[decoded.index];
  bool any_active = false;
  for (WarpCopy& copy : actor.copies()) any_active = any_active || copy.context().active != 0;
  std::optional<WatchedLocation> watched;
  memory.forget();
  if (any_active) {
    if (!can_be_probed(instruction, is_in_call, Actor::kHasWholeWarp)) return false;
    if (accesses_memory(instruction)) {
      for (WarpCopy& copy : actor.copies()) {
        if (copy.context().active == 0) continue;
        const std::optional<WatchedLocation> found = watch_access(copy.context(), decoded, memory);
        if (!watched) watched = found;
        if (instruction.operation == code::Operation::atomic &&
            !lanes_leave_memory_unchanged(copy, decoded)) {
          return false;
        }
      }
    }
  }
  add_step(path, decoded.index, watched);
  try {
    actor.execute(decoded);
  } catch (...) {
    memory.restore();
    throw;
  }
  return memory.restore();
}

}  // namespace

/// Executes the copies until they repeat a state, which is found with Brent's algorithm for cycle
/// detection. The state after 1, 2, 4, 8, ... steps is kept. Each later state is compared with it
/// until the next state is kept.
template <class Actor>
std::optional<ProbedPath> LivelockProbe::follow(Actor& actor) {
  effort_ += kCopyEffort * actor.copies().size();
  std::optional<StrayAccesses::Pause> pause;
  GlobalMemory* const global = actor.copies().front().context().memory.global;
  if (global != nullptr) pause.emplace(global->strays());
  MemoryWatch memory;
  ProbedState<Actor> kept(actor);
  const auto fresh_path = [&] {
    const std::uint32_t pc = actor.flow().top().pc;
    return ProbedPath{.first_pc = pc, .last_pc = pc};
  };
  ProbedPath path = fresh_path();
  std::uint64_t keep_after = 1;
  try {
    for (std::uint64_t steps = 1; steps <= kMaxSteps; ++steps) {
      effort_ += actor.copies().size();
      if (!step(actor, path, memory)) return std::nullopt;
      path.repeats = kept.equals(actor);
      if (path.repeats) return path;
      if (steps < keep_after || steps == kMaxSteps) continue;
      keep_after *= 2;
      kept = ProbedState<Actor>(actor);
      path = fresh_path();
    }
  } catch (const LaneFault&) {
    return std::nullopt;  // The threads themselves will raise the fault later.
  } catch (const SimulatedFault&) {
    return std::nullopt;
  }
  if (effort_ > kMaxQuietEffort) return std::nullopt;
  is_quiet_ = true;
  return path;
}

std::optional<ProbedPath> LivelockProbe::probe_warp(Block& block, const Warp& warp) {
  ProbedWarp actor(block, warp);
  deliver_atomics(warp, actor.copies().front().context());
  return follow(actor);
}

std::optional<ProbedPath> LivelockProbe::probe_large_warp(const LargeWarpThreads& threads) {
  ProbedLargeWarp actor(threads);
  for (std::size_t i = 0; i < actor.copies().size(); ++i) {
    deliver_atomics(*threads.rows()[i].warp, actor.copies()[i].context());
  }
  return follow(actor);
}

std::optional<ProbedPath> LivelockProbe::probe_thread(Block& block, const Warp& warp, int lane,
                                                      std::uint32_t pc, const CallFrame& frame) {
  ProbedThread actor(block, warp, lane, pc, frame);
  deliver_atomics(warp, actor.copies().front().context());
  return follow(actor);
}

void LivelockProbe::deliver_atomics(const Warp& warp, WarpContext& context) const {
  for (const AtomicInFlight& in_flight : atomics_) {
    if (in_flight.static_warp != &warp) continue;
    DeferredAtomic atomic = *in_flight.atomic;
    perform_and_restore(atomic, in_flight);
    atomic.deliver(context);
  }
}

bool LivelockProbe::atomics_leave_memory_unchanged() const {
  return std::all_of(atomics_.begin(), atomics_.end(), [](const AtomicInFlight& in_flight) {
    DeferredAtomic atomic = *in_flight.atomic;
    return perform_and_restore(atomic, in_flight);
  });
}

WarpStatus status_of(const Block& block, const Warp& warp, LaneMask lanes, const ProbedPath& path) {
  const Launch& launch = block.launch();
  WarpStatus status{
      .block = &block, .warp = warp.identity.warp, .lanes = lanes, .pc = path.first_pc};
  status.what =
      fmt::format("{} {} instructions", path.repeats ? "repeating" : "running", path.instructions);
  if (path.last_pc != path.first_pc) {
    status.what += fmt::format(", the last at {}", place_of(*launch.program, path.last_pc));
  }
  status.watched = path.watched;
  if (!path.watched) return status;
  const WatchedLocation& watched = *path.watched;
  status.what +=
      fmt::format(", which {} {} bytes at {:#x}, {}, that hold {:#x}",
                  watched.is_atomic ? "try to change" : "read", watched.bytes, watched.address,
                  watched.is_shared ? "of shared memory"
                                    : launch.memory->describe(watched.address, watched.bytes),
                  watched.value);
  return status;
}

}  // namespace heddle::exec
