#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/inline_vector.h"
#include "base/lane_mask.h"
#include "base/small_vector.h"
#include "code/instruction.h"
#include "exec/divergence/thread_set.h"

namespace heddle::exec {

/// A call's frame in the threads' local memory; the same for all threads of the call.
struct CallFrame {
  std::uint32_t base = 0;
  std::uint32_t top = 0;  ///< The start of a callee's frame.

  friend bool operator==(const CallFrame&, const CallFrame&) = default;
};

/// The reconvergence stack of a warp: the instruction at which each thread continues, and the
/// points at which diverged threads reconverge. It is the stack of Narasiman et al., Improving GPU
/// Performance via Large Warps and Two-Level Warp Scheduling (TR-HPS-2010-006), section 2.3,
/// extended by calls.
///
/// The top entry runs. A divergent branch turns it into a join entry, which waits at the branch's
/// post-dominator with all its threads. The branch also pushes one entry for each side. An entry
/// that reaches its reconvergence point is popped. A call pushes an entry without a reconvergence
/// point, which ends when all its threads have returned.
///
/// `Threads` is a set of threads: LaneMask for a plain warp, ThreadSet for a large one.
template <class Threads>
class BasicReconvergenceStack {
 public:
  struct Entry {
    std::uint32_t pc = 0;                       ///< The next instruction.
    std::uint32_t reconvergence = code::kNone;  ///< The program counter at which it is popped.
    Threads mask;                               ///< Its threads.
    std::uint32_t frame = 0;                    ///< The index of the call's frame.
    Threads arrived;                            ///< The threads that wait at the barrier at pc.

    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// The threads that a branch sends to one of its targets.
  struct Side {
    Threads threads;
    std::uint32_t target = 0;
  };
  /// At most one side for each thread, and one for the fall-through.
  using Sides = std::conditional_t<std::is_same_v<Threads, LaneMask>, InlineVector<Side, 33>,
                                   std::vector<Side>>;

  using Entries = SmallVector<Entry, 2>;

  void start(std::uint32_t entry, const Threads& threads, std::uint32_t frame_bytes);

  bool finished() const { return entries_.empty(); }
  Entry& top() { return entries_.back(); }
  const Entry& top() const { return entries_.back(); }
  const Entries& entries() const { return entries_; }
  CallFrame& frame() { return frames_[top().frame]; }
  const CallFrame& frame() const { return frames_[top().frame]; }
  std::size_t call_depth() const { return frames_.size(); }
  /// Whether the same threads continue at the same instructions with the same frames.
  bool operator==(const BasicReconvergenceStack& other) const;
  /// All threads that have not exited.
  const Threads& live() const { return live_; }

  /// Continues the top entry at `pc`, and pops entries that thereby reconverge.
  void advance(std::uint32_t pc) {
    top().pc = pc;
    if (pc == top().reconvergence) pop_reconverged();
  }
  /// Sends the threads of `taken` to `target`, and the top entry's others to `next`. They
  /// reconverge at `reconvergence` (kNone: not before the end of the function). The taken side runs
  /// first.
  void branch(const Threads& taken, std::uint32_t target, std::uint32_t next,
              std::uint32_t reconvergence);
  /// As branch(), for any number of sides, which together contain the top entry's threads. The
  /// first side runs first.
  void branch_many(const Sides& sides, std::uint32_t reconvergence);
  /// Sets the return address for the next call(): the top entry continues there.
  void return_to(std::uint32_t pc) { top().pc = pc; }
  /// Calls the function at `target` with `threads`, from the frame `caller`. return_to() must have
  /// been called before: the calling entry waits for the threads there. An indirect call of several
  /// functions pushes them one after another; the last one pushed runs first.
  void call(CallFrame caller, const Threads& threads, std::uint32_t target,
            std::uint32_t frame_bytes);
  /// Returns `threads` from the running call (in a kernel, they exit). The top entry's other
  /// threads go to `next`.
  void leave_function(const Threads& threads, std::uint32_t next);
  void exit(const Threads& threads, std::uint32_t next);
  /// Whether `threads` are all threads of the running call.
  bool is_whole_call(const Threads& threads) const;

  /// Marks threads of the top entry as waiting at the barrier that is its next instruction.
  void arrive(const Threads& threads) { top().arrived = threads; }
  /// Exchanges the top entry with an entry for another side of the same divergence that has not
  /// arrived at a barrier. Returns false if there is no such entry.
  bool rotate();
  /// Lets waiting threads of the running call continue, except those in `held`. They may wait at a
  /// reconvergence point for the entries above, or in an entry that has arrived at a barrier. The
  /// threads of one entry move to a new top entry, which reconverges where their old entry does.
  /// Returns false if there are no such threads.
  bool run_ahead(const Threads& held);
  /// Lets entries that have arrived at a barrier continue after it, if `passes(entry)` is true.
  template <class Passes>
  void release(Passes passes) {
    for (Entry& entry : entries_) {
      if (entry.arrived.empty() || !passes(std::as_const(entry))) continue;
      entry.arrived = {};
      ++entry.pc;
    }
    pop_reconverged();
  }
  /// Calls `leave(entry)` for every entry that has arrived at a barrier, and removes `threads` from
  /// its arrived threads. An entry without arrived threads continues after the barrier.
  template <class Leave>
  void release_threads(const Threads& threads, Leave leave) {
    for (Entry& entry : entries_) {
      if (entry.arrived.empty()) continue;
      leave(std::as_const(entry));
      entry.arrived = entry.arrived.without(threads);
      if (entry.arrived.empty()) ++entry.pc;
    }
    pop_reconverged();
  }

 private:
  void leave_join_entry(std::uint32_t reconvergence);
  void push_side(const Entry& diverged, const Threads& threads, std::uint32_t target,
                 std::uint32_t reconvergence);
  void pop_reconverged();

  Entries entries_;
  Threads live_;
  SmallVector<CallFrame, 2> frames_;
};

/// Adds threads to the side that goes to `target`.
template <class Sides, class Threads>
void add_side(Sides& sides, const Threads& threads, std::uint32_t target) {
  for (auto& side : sides) {
    if (side.target != target) continue;
    side.threads = side.threads | threads;
    return;
  }
  sides.push_back({threads, target});
}

using ReconvergenceStack = BasicReconvergenceStack<LaneMask>;
extern template class BasicReconvergenceStack<LaneMask>;
extern template class BasicReconvergenceStack<ThreadSet>;

}  // namespace heddle::exec
