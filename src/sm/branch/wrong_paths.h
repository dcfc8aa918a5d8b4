#pragma once

// What warps issue after branches that were predicted wrongly, until these are resolved: nothing of
// it is executed, but it takes turns of schedulers and time of units (Xiang, Toward Efficient SIMT
// Execution, section 4.4.3).

#include <array>
#include <cassert>
#include <cstdint>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/units/unit_kind.h"

namespace heddle::sm {

/// An instruction of a wrong path.
struct StrayInstruction {
  std::uint32_t pc = 0;
  UnitKind unit = UnitKind::integer;
  std::uint32_t expansion = 1;  ///< As IssueInfo::expansion.
  Cycle from;                   ///< When it can issue, if there is room, and those before it have.
};

class WrongPaths {
 public:
  /// More than that no warp issues before its branch is resolved.
  static constexpr std::size_t kMost = 16;

  /// The warp is on one until `until`, with nothing to issue yet.
  void begin(WarpSlot warp, Cycle until) {
    paths_[warp].next = paths_[warp].count = 0;
    paths_[warp].until = until;
    there_ &= ~set_of(warp);
  }
  /// Returns whether another one can be added.
  bool add(WarpSlot warp, const StrayInstruction& instruction) {
    Path& path = paths_[warp];
    assert(path.count < kMost);
    path.instructions[path.count++] = instruction;
    there_ |= set_of(warp);
    return path.count < kMost;
  }

  bool any() const { return there_ != 0; }
  /// Warps whose next one could issue at `now`. What comes too late is given up.
  WarpSet due(Cycle now);
  /// The first cycle after `now` in which one of them may issue; never() where none does.
  Cycle next(Cycle now) const;
  const StrayInstruction& front(WarpSlot warp) const {
    const Path& path = paths_[warp];
    assert((there_ & set_of(warp)) != 0);
    return path.instructions[path.next];
  }
  /// The warp's next one issues at `now`; another of it can in the next cycle.
  void issue(WarpSlot warp, Cycle now);

  void declare(CounterList& counters) {
    counters.add("scheduler.wrong_path", issued_, "cycles",
                 "in which a scheduler issued what is not executed, as a branch before it was "
                 "predicted wrongly");
  }

 private:
  struct Path {
    Cycle until;  ///< Its branch is resolved.
    std::uint32_t next = 0;
    std::uint32_t count = 0;
    std::array<StrayInstruction, kMost> instructions{};
  };

  std::array<Path, kMostWarps> paths_{};
  WarpSet there_ = 0;  ///< Warps with something to issue.
  std::uint64_t issued_ = 0;
};

}  // namespace heddle::sm
