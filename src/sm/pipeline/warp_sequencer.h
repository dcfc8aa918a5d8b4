#pragma once

#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/stall_cause.h"
#include "sm/warp_state.h"

namespace heddle::sm {

struct Grid;
struct Slot;

/// How a warp comes from one instruction to the next, as far as the owners of the slots' threads
/// (sm/divergence) may ask for it.
class WarpSequencer {
 public:
  WarpSequencer() = default;
  WarpSequencer(const WarpSequencer&) = delete;
  WarpSequencer& operator=(const WarpSequencer&) = delete;
  virtual ~WarpSequencer() = default;

  /// A warp of a launch gets a free slot; it has nothing under way, and goes on at `pc`.
  virtual Slot& take(WarpSlot warp, const Grid& grid, std::uint32_t resident, std::uint32_t pc) = 0;
  /// It comes at `at` and is fetched for then.
  virtual void start(WarpSlot warp, Cycle at) = 0;
  /// Its next instruction is fetched now.
  virtual void fetch(WarpSlot warp) = 0;
  /// It waits in a timed state until `at`.
  virtual void wait(WarpSlot warp, WarpState state, Cycle at, StallCause cause) = 0;
  /// What it waited for has been reported: it goes on at `at` with what follows its instruction.
  virtual void resume_at(WarpSlot warp, Cycle at, StallCause cause) = 0;
  /// What was in the slot ends at `at`; the slot is free again.
  virtual void leave(WarpSlot warp, Cycle at) = 0;
};

}  // namespace heddle::sm
