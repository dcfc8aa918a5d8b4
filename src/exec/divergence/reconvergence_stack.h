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

/// The stack frame of a call: byte offsets in local memory. They are the same for all threads of
/// the call.
struct CallFrame {
  std::uint32_t base = 0;
  std::uint32_t top = 0;  ///< The end of the frame, where a callee's frame starts.

  friend bool operator==(const CallFrame&, const CallFrame&) = default;
};

/// The reconvergence stack of a warp. It stores the instruction at which each thread continues, and
/// the points at which diverged threads reconverge. It is the stack of Narasiman et al., Improving
/// GPU Performance via Large Warps and Two-Level Warp Scheduling (TR-HPS-2010-006), section 2.3,
/// extended by calls.
///
/// The threads of the top entry run. A divergent branch turns the top entry into a join entry,
/// which waits at the branch's post-dominator with all its threads. The branch then pushes one
/// entry for each of its sides: the threads that go to the same target. An entry that reaches its
/// reconvergence point is popped. A call pushes an entry without a reconvergence point; it is
/// popped when all its threads have returned.
///
/// `Threads` is a set of threads: LaneMask for a plain warp, ThreadSet for a large one.
template <class Threads>
class BasicReconvergenceStack {
 public:
  struct Entry {
    std::uint32_t pc = 0;                       ///< The next instruction.
    std::uint32_t reconvergence = code::kNone;  ///< Where the entry is popped; kNone: nowhere.
    Threads mask;                               ///< The threads of the entry.
    std::uint32_t frame = 0;                    ///< The index of its call's frame.
    Threads arrived;                            ///< The threads that wait at the barrier at pc.

    friend bool operator==(const Entry&, const Entry&) = default;
  };
  /// One side of a branch: the threads that go to one of its targets.
  struct Side {
    Threads threads;
    std::uint32_t target = 0;
  };
  /// At most one side for each thread, and one for the fall-through.
  using Sides = std::conditional_t<std::is_same_v<Threads, LaneMask>, InlineVector<Side, 33>,
                                   std::vector<Side>>;

  using Entries = SmallVector<Entry, 2>;

  /// Resets the stack to one entry: `threads` start a kernel at `pc`.
  void start(std::uint32_t pc, const Threads& threads, std::uint32_t frame_bytes);

  bool finished() const { return entries_.empty(); }
  Entry& top() { return entries_.back(); }
  const Entry& top() const { return entries_.back(); }
  const Entries& entries() const { return entries_; }
  /// The frame of the running call, that is, of the function that the top entry executes.
  CallFrame& frame() { return frames_[top().frame]; }
  const CallFrame& frame() const { return frames_[top().frame]; }
  std::size_t call_depth() const { return frames_.size(); }
  /// Whether both stacks have the same entries and frames.
  bool operator==(const BasicReconvergenceStack& other) const;
  /// All threads that have not exited.
  const Threads& live() const { return live_; }

  /// Continues the top entry at `pc`. If that is its reconvergence point, pops it, and then lower
  /// entries that are at theirs.
  void advance(std::uint32_t pc) {
    top().pc = pc;
    if (pc == top().reconvergence) pop_reconverged();
  }
  /// Sends the threads `taken` to `target`, and the other threads of the top entry to `next`. Both
  /// sides reconverge at `reconvergence` (kNone: not before the end of the function). The taken
  /// side runs first.
  void branch(const Threads& taken, std::uint32_t target, std::uint32_t next,
              std::uint32_t reconvergence);
  /// As branch(), for any number of sides, which together contain the top entry's threads. The
  /// first side runs first.
  void branch_many(const Sides& sides, std::uint32_t reconvergence);
  /// Sets the return address for the next call(): the top entry continues at `pc` after the call.
  void return_to(std::uint32_t pc) { top().pc = pc; }
  /// Lets `threads` call the function at `target`. `caller` is the frame of the calling function,
  /// `frame_bytes` the size of the callee's. return_to() must have been called before. For an
  /// indirect call of several functions, the caller calls this once for each function; the function
  /// of the last of these calls runs first.
  void call(CallFrame caller, const Threads& threads, std::uint32_t target,
            std::uint32_t frame_bytes);
  /// Lets `threads` return from the running call or, in a kernel, exit. The other threads of the
  /// top entry continue at `next`.
  void leave_function(const Threads& threads, std::uint32_t next);
  /// Lets `threads` exit. The other threads of the top entry continue at `next`.
  void exit(const Threads& threads, std::uint32_t next);
  /// Whether `threads` are all threads of the running call.
  bool is_whole_call(const Threads& threads) const;

  /// Marks threads of the top entry as waiting at the barrier that is its next instruction.
  void arrive(const Threads& threads) { top().arrived = threads; }
  /// Exchanges the top entry with an entry for another side of the same divergent branch that has
  /// not arrived at a barrier. Returns false, and changes nothing, if there is no such entry.
  bool rotate();
  /// Lets waiting threads of the running call continue, although the reconvergence stack would keep
  /// them waiting: threads that wait at a reconvergence point for higher entries, or in an entry of
  /// which other threads wait at a barrier. Threads in `excluded` do not continue. The threads of
  /// one entry move to a new top entry, with the reconvergence point of their old entry. Returns
  /// false if there are no such threads.
  bool run_ahead(const Threads& excluded);
  /// Lets every entry that has arrived at a barrier, and for which passes(entry) is true, continue
  /// after the barrier.
  template <class Passes>
  void release(Passes passes) {
    for (Entry& entry : entries_) {
      if (entry.arrived.empty() || !passes(std::as_const(entry))) continue;
      entry.arrived = {};
      ++entry.pc;
    }
    pop_reconverged();
  }
  /// Calls leave(entry) for every entry that has arrived at a barrier, and removes `threads` from
  /// its arrived threads. If none of these are left, the entry continues after the barrier.
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
  /// Turns the top entry, which diverges, into the join entry at `reconvergence`, or removes it if
  /// a join entry is not needed.
  void leave_join_entry(std::uint32_t reconvergence);
  void push_side(const Entry& diverged, const Threads& threads, std::uint32_t target,
                 std::uint32_t reconvergence);
  void pop_reconverged();

  Entries entries_;
  Threads live_;  ///< The threads that have not exited.
  SmallVector<CallFrame, 2> frames_;
};

/// Adds threads to the side that goes to `target`, and adds the side if there is none.
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
