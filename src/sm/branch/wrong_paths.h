#pragma once

// The wrong paths of mispredicted branches: until the branch is resolved, a warp issues
// instructions that are not executed, but use issue slots and units (Xiang, Toward Efficient SIMT
// Execution, section 4.4.3).

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
  /// The largest number of instructions that a warp issues before its branch is resolved.
  static constexpr std::uint32_t kMaxInstructions = 16;

  /// Begins a wrong path: consecutive instructions from `pc` on, which issue until `until` at the
  /// latest. The first has been fetched by `fetched`.
  void begin(WarpSlot warp, std::uint32_t pc, Cycle fetched, Cycle until) {
    paths_[warp].pc = pc;
    paths_[warp].fetched = fetched;
    paths_[warp].until = until;
    paths_[warp].next = paths_[warp].count = 0;
    give_up(warp);
  }
  /// Adds an instruction, which waits until `ready` for results that the warp has in flight.
  void add(WarpSlot warp, Cycle ready) {
    Path& path = paths_[warp];
    assert(path.count < kMaxInstructions);
    path.ready[path.count++] = ready;
    pending_ |= set_of(warp);
  }
  /// Ends the wrong path of the warp.
  void give_up(WarpSlot warp) { pending_ &= ~set_of(warp); }

  bool any() const { return pending_ != 0; }
  /// Warps whose next instruction could issue at `now`, if there is space. Drops paths that are too
  /// late.
  WarpSet due(Cycle now);
  /// The first cycle after `now` in which an instruction of a wrong path may issue; never() if
  /// there is none.
  Cycle next(Cycle now) const;
  /// The next instruction of the warp.
  std::uint32_t pc(WarpSlot warp) const { return paths_[warp].pc; }
  Cycle until(WarpSlot warp) const { return paths_[warp].until; }
  /// Issues the warp's next instruction. Returns whether the path has another one. If so, the
  /// caller reports by fetched() when that instruction arrives.
  bool issue(WarpSlot warp);
  void fetched(WarpSlot warp, Cycle at) { paths_[warp].fetched = at; }

  void declare(CounterList& counters) {
    counters.add("scheduler.wrong_path", issued_, "cycles",
                 "in which a scheduler issued an instruction of a wrong path, after a mispredicted "
                 "branch");
  }

 private:
  struct Path {
    Cycle until;           ///< When its branch is resolved.
    Cycle fetched;         ///< When the next instruction is decoded.
    std::uint32_t pc = 0;  ///< The address of the next instruction.
    /// The index in `ready` of the next instruction.
    std::uint32_t next = 0;
    std::uint32_t count = 0;  ///< The number of instructions in `ready`.
    /// By instruction: when the results that it waits for are available.
    std::array<Cycle, kMaxInstructions> ready{};

    Cycle earliest_issue() const { return std::max(fetched, ready[next]); }
  };

  std::array<Path, kMostWarps> paths_{};
  WarpSet pending_ = 0;  ///< Warps with an instruction to issue.
  std::uint64_t issued_ = 0;
};

}  // namespace heddle::sm
