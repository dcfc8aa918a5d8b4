#pragma once

// What warps issue after branches that were predicted wrongly, until these are resolved: nothing of
// it is executed, but it takes turns of schedulers and time of units (Xiang, Toward Efficient SIMT
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
  /// More than that no warp issues before its branch is resolved.
  static constexpr std::uint32_t kMost = 16;

  /// From `pc` on the warp issues instructions that come one after another, until `until` at the
  /// latest. The first has been fetched by `fetched`.
  void begin(WarpSlot warp, std::uint32_t pc, Cycle fetched, Cycle until) {
    paths_[warp].pc = pc;
    paths_[warp].fetched = fetched;
    paths_[warp].until = until;
    paths_[warp].next = paths_[warp].count = 0;
    give_up(warp);
  }
  /// Another one, which waits until `ready` for what the warp has under way.
  void add(WarpSlot warp, Cycle ready) {
    Path& path = paths_[warp];
    assert(path.count < kMost);
    path.ready[path.count++] = ready;
    there_ |= set_of(warp);
  }
  /// No more of it issues.
  void give_up(WarpSlot warp) { there_ &= ~set_of(warp); }

  bool any() const { return there_ != 0; }
  /// Warps whose next one could issue at `now`, if there is room. What comes too late is given up.
  WarpSet due(Cycle now);
  /// The first cycle after `now` in which one of them may issue; never() where none does.
  Cycle next(Cycle now) const;
  /// Of the warp's next one.
  std::uint32_t pc(WarpSlot warp) const { return paths_[warp].pc; }
  Cycle until(WarpSlot warp) const { return paths_[warp].until; }
  /// It issues. Returns whether there is another one: fetched() is to say when that has come.
  bool issue(WarpSlot warp);
  void fetched(WarpSlot warp, Cycle at) { paths_[warp].fetched = at; }

  void declare(CounterList& counters) {
    counters.add("scheduler.wrong_path", issued_, "cycles",
                 "in which a scheduler issued what is not executed, as a branch before it was "
                 "predicted wrongly");
  }

 private:
  struct Path {
    Cycle until;           ///< Its branch is resolved.
    Cycle fetched;         ///< The next one can issue, as far as that is concerned.
    std::uint32_t pc = 0;  ///< Of the next one.
    std::uint32_t next = 0;
    std::uint32_t count = 0;
    std::array<Cycle, kMost> ready{};

    Cycle from() const { return std::max(fetched, ready[next]); }
  };

  std::array<Path, kMostWarps> paths_{};
  WarpSet there_ = 0;  ///< Warps with something to issue.
  std::uint64_t issued_ = 0;
};

}  // namespace heddle::sm
