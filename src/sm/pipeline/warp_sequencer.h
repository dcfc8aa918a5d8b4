#pragma once

#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/stalls/wait_reason.h"
#include "sm/warps/warp_state.h"

namespace heddle::sm {

struct Grid;
struct Slot;

/// The functions of the sequencer (sm/pipeline/sequencer.h) that divergence policies call.
class WarpSequencer {
 public:
  WarpSequencer() = default;
  WarpSequencer(const WarpSequencer&) = delete;
  WarpSequencer& operator=(const WarpSequencer&) = delete;
  virtual ~WarpSequencer() = default;

  /// Puts a warp of a launch into a free slot. The warp has nothing in flight, and its next
  /// instruction is at `pc`. `block_slot`: the number of its block in ResidentBlocks, or of one of
  /// its blocks if it has several.
  virtual Slot& take(WarpSlot warp, const Grid& grid, std::uint32_t block_slot,
                     std::uint32_t pc) = 0;
  /// The warp starts at `at`; the fetch of its first instruction begins then.
  virtual void start(WarpSlot warp, Cycle at) = 0;
  /// Begins the fetch of the warp's next instruction now.
  virtual void fetch(WarpSlot warp) = 0;
  /// The warp waits in `state`, a timed state, until `at`.
  virtual void wait(WarpSlot warp, WarpState state, Cycle at, WaitReason reason) = 0;
  /// The awaited event has arrived: the warp resumes at `at`, and takes the step that follows its
  /// last instruction.
  virtual void resume_at(WarpSlot warp, Cycle at, WaitReason reason) = 0;
  /// The warp in the slot ends at `at`, and the slot becomes free.
  virtual void leave(WarpSlot warp, Cycle at) = 0;
};

}  // namespace heddle::sm
