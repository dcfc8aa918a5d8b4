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

/// One call's part of the threads' stacks. It is the same for all threads of the call.
struct CallFrame {
  std::uint32_t base = 0;
  std::uint32_t top = 0;  ///< Where a callee's frame begins.

  friend bool operator==(const CallFrame&, const CallFrame&) = default;
};

/// Which of a warp's threads execute what, and where those that a branch parted meet again: the
/// stack of Narasiman et al., Improving GPU Performance via Large Warps and Two-Level Warp
/// Scheduling (TR-HPS-2010-006), section 2.3, with calls.
///
/// The top entry runs. A branch that parts its threads leaves a join entry, which waits at the
/// branch's post-dominator with all of them, and pushes one entry for each side; an entry that gets
/// to its reconvergence point is popped. A call pushes an entry without a reconvergence point,
/// which ends when all its threads have returned.
///
/// `Threads` is a set of them: LaneMask for a warp, ThreadSet for a large one.
template <class Threads>
class BasicReconvergenceStack {
 public:
  struct Entry {
    std::uint32_t pc = 0;
    std::uint32_t reconvergence = code::kNone;
    Threads mask;
    std::uint32_t frame = 0;  ///< Index into the frames: which call it belongs to.
    Threads arrived;          ///< Those waiting at the barrier at pc, where it waits at one.

    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// The threads that a branch sends to one of its targets.
  struct Side {
    Threads threads;
    std::uint32_t target = 0;
  };
  /// A target per thread, and what follows the branch.
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
  /// The same threads do the same next, of the same registers.
  bool operator==(const BasicReconvergenceStack& other) const;
  /// All threads that have not exited.
  const Threads& live() const { return live_; }

  /// Continues the top entry at `pc`, popping what has thereby reconverged.
  void advance(std::uint32_t pc) {
    top().pc = pc;
    if (pc == top().reconvergence) settle();
  }
  /// The threads of `taken` go to `target`, the top entry's others to `next`; they meet at
  /// `reconvergence` (kNone: not before the end of the function). The taken side runs first.
  void branch(const Threads& taken, std::uint32_t target, std::uint32_t next,
              std::uint32_t reconvergence);
  /// As branch(), for any number of sides, which together are the top entry; the first runs first.
  void branch_many(const Sides& sides, std::uint32_t reconvergence);
  /// Sends the top entry on to where the threads return that call() takes next.
  void return_to(std::uint32_t pc) { top().pc = pc; }
  /// Calls the function at `target` with `threads`, from the frame `caller`. The entry that calls
  /// must have been sent on to where they return: it waits for them. Calls of several functions at
  /// once are pushed one after another, the first to run last.
  void call(CallFrame caller, const Threads& threads, std::uint32_t target,
            std::uint32_t frame_bytes);
  /// `threads` return from the running call (in a kernel: exit), the top entry's
  /// others go to `next`.
  void leave_function(const Threads& threads, std::uint32_t next);
  void exit(const Threads& threads, std::uint32_t next);
  /// Whether `threads` are all that is in the running call.
  bool are_whole_call(const Threads& threads) const;

  /// Notes that threads of the top entry wait at the barrier that is its next instruction.
  void arrive(const Threads& threads) { top().arrived = threads; }
  /// Lets another side of the same divergence run that has not arrived at a barrier, if there is
  /// one: its entry changes places with the top entry. False where there is none.
  bool rotate();
  /// Lets threads of the running call go on ahead that are not of `held`, and only wait: for those
  /// above them to come to where they meet, or beside others at a barrier. They then meet no sooner
  /// than where those that they waited with meet others. False where there are none.
  bool run_ahead(const Threads& held);
  /// The entries that have arrived at a barrier and for which `passes(entry)` holds go on after
  /// it.
  template <class Passes>
  void release(Passes passes) {
    for (Entry& entry : entries_) {
      if (entry.arrived.empty() || !passes(std::as_const(entry))) continue;
      entry.arrived = {};
      ++entry.pc;
    }
    settle();
  }
  /// Takes those of `threads` from the barriers that they have arrived at, after `leave(entry)` for
  /// each entry; one that nobody is left at goes on after it.
  template <class Leave>
  void release_threads(const Threads& threads, Leave leave) {
    for (Entry& entry : entries_) {
      if (entry.arrived.empty()) continue;
      leave(std::as_const(entry));
      entry.arrived = entry.arrived.without(threads);
      if (entry.arrived.empty()) ++entry.pc;
    }
    settle();
  }

 private:
  void part(std::uint32_t reconvergence);
  void push_side(const Entry& parted, const Threads& threads, std::uint32_t target,
                 std::uint32_t reconvergence);
  void settle();

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
