#pragma once

// Wrong paths: after a mispredicted branch, and until it is resolved, a warp issues instructions on
// the predicted side. They are not executed, but use issue slots and units (Xiang, Toward Efficient
// SIMT Execution, section 4.4.3).

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/ids.h"

namespace heddle::sm {

class WrongPaths {
 public:
  static constexpr std::uint32_t kMaxInstructions = 16;

  /// `most_instructions`: the largest number of instructions on a wrong path, up to
  /// kMaxInstructions.
  explicit WrongPaths(std::uint32_t most_instructions = kMaxInstructions)
      : most_instructions_(most_instructions) {}
  std::uint32_t most_instructions() const { return most_instructions_; }

  /// Begins a wrong path, at first empty: add() adds the instructions from `pc` on. They issue
  /// before `until`. `fetched`: the cycle from which the first one is in the instruction buffer.
  void begin(WarpSlot warp, std::uint32_t pc, Cycle fetched, Cycle until) {
    paths_[warp].pc = pc;
    paths_[warp].fetched = fetched;
    paths_[warp].until = until;
    paths_[warp].next = paths_[warp].count = 0;
    give_up(warp);
  }
  /// Adds the next instruction of the path. It waits until `ready` for results that the warp has in
  /// flight.
  void add(WarpSlot warp, Cycle ready) {
    Path& path = paths_[warp];
    assert(path.count < most_instructions_);
    path.ready[path.count++] = ready;
    pending_ |= set_of(warp);
  }
  /// Sets the number of threads on the warp's wrong path: those at the branch.
  void set_threads(WarpSlot warp, std::uint64_t threads) { paths_[warp].threads = threads; }
  std::uint64_t threads(WarpSlot warp) const { return paths_[warp].threads; }
  /// Ends the wrong path of the warp.
  void give_up(WarpSlot warp) { pending_ &= ~set_of(warp); }

  /// Whether any warp has an instruction of a wrong path to issue.
  bool has_any() const { return pending_ != 0; }
  /// The warps whose next instruction on the wrong path can issue at `now`, if it finds space. Ends
  /// the paths whose branch is resolved before their next instruction can issue.
  WarpSet due_warps(Cycle now);
  /// The first cycle after `now` in which an instruction of a wrong path may issue; never() if no
  /// such instruction is left.
  Cycle next(Cycle now) const;
  /// The address of the next instruction on the warp's wrong path.
  std::uint32_t pc(WarpSlot warp) const { return paths_[warp].pc; }
  /// When the warp's mispredicted branch is resolved.
  Cycle until(WarpSlot warp) const { return paths_[warp].until; }
  /// Issues the next instruction on the warp's wrong path. Returns whether the path has another
  /// one. If so, the caller must report by set_fetched() when that one is in the instruction
  /// buffer.
  bool issue(WarpSlot warp);
  void set_fetched(WarpSlot warp, Cycle at) { paths_[warp].fetched = at; }

  void declare(CounterList& counters) {
    counters.add("scheduler.wrong_path", issued_, "cycles",
                 "in which a scheduler issued an instruction of a wrong path, after a mispredicted "
                 "branch");
  }

 private:
  struct Path {
    Cycle until;           ///< When its branch is resolved.
    Cycle fetched;         ///< When the next instruction is in the instruction buffer.
    std::uint32_t pc = 0;  ///< The address of the next instruction.
    std::uint64_t threads = 0;
    /// The index in `ready` of the next instruction.
    std::uint32_t next = 0;
    std::uint32_t count = 0;  ///< The number of instructions in `ready`.
    /// By instruction: when the results that it waits for are available.
    std::array<Cycle, kMaxInstructions> ready{};

    Cycle earliest_issue() const { return std::max(fetched, ready[next]); }
  };

  std::uint32_t most_instructions_;
  std::array<Path, kMaxWarps> paths_{};
  WarpSet pending_ = 0;  ///< Warps with an instruction to issue.
  std::uint64_t issued_ = 0;
};

}  // namespace heddle::sm
