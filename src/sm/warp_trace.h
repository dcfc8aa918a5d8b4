#pragma once

// What a multiprocessor's pipeline notes for a trace. One line where it happens:
//
//   trace_.change(warp, slot, state);              a slot's state changes: its warp waits, waits
//                                                  for a report, goes on, is ready, ends
//   trace_.issue(at, warp, pc, lanes, passes);     its scheduler has chosen it
//   trace_.issue_in_vain(at, warp, pc);            the same, on the wrong path after a branch
//   trace_.fetch(at, warp, pc, decoded);           instructions from `pc` on are fetched for it
//   trace_.start(at, warp, pc, block, row, rows);  it comes with its block
//   trace_.form(at, warp, pc, lanes, passed);      threads that have come together are a warp
//   trace_.end(at, warp, pc);                      it is none any more
//   trace_.take_block(at, block);                  a block comes, whose warps start at `at`
//   trace_.end_block(at, block);                   its last warp has ended
//
// Where no trace is written, each of these is a test of a pointer.

#include <cstdint>
#include <string_view>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/warp_state.h"
#include "trace/log.h"

namespace heddle::sm {

struct Slot;

class WarpTrace {
 public:
  void to(trace::Log* log) { log_ = log; }
  explicit operator bool() const { return log_ != nullptr; }

  /// `slot` has all but the new state.
  void change(WarpSlot warp, const Slot& slot, WarpState state) const {
    if (log_ != nullptr) note_change(warp, slot, state);
  }
  void issue(Cycle at, WarpSlot warp, std::uint32_t pc, std::uint64_t lanes,
             std::uint64_t passes) const {
    if (log_ != nullptr) note(at, kIssue, of(warp, pc), {}, lanes, passes);
  }
  void issue_in_vain(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kIssueInVain, of(warp, pc), {});
  }
  void fetch(Cycle at, WarpSlot warp, std::uint32_t pc, Cycle decoded) const {
    if (log_ != nullptr) note(at, kFetch, of(warp, pc), {}, decoded.number);
  }
  /// `row`: the first of its rows of 32 threads, by its number in the block.
  void start(Cycle at, WarpSlot warp, std::uint32_t pc, std::uint64_t block, std::uint64_t row,
             std::uint64_t rows) const {
    if (log_ != nullptr) note(at, kStart, of(warp, pc), {}, block, row, rows);
  }
  /// `passed`: the fewest meeting points of branches that one of its threads has passed.
  void form(Cycle at, WarpSlot warp, std::uint32_t pc, LaneMask lanes, std::uint64_t passed) const {
    if (log_ == nullptr) return;
    note(at, kForm, of(warp, pc), {}, static_cast<std::uint64_t>(lanes.count()), passed);
  }
  void end(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kEnd, of(warp, pc), {});
  }
  void take_block(Cycle at, std::uint64_t block) const {
    if (log_ != nullptr) note(at, kBlockTaken, {}, {}, block);
  }
  void end_block(Cycle at, std::uint64_t block) const {
    if (log_ != nullptr) note(at, kBlockEnded, {}, {}, block);
  }

 private:
  static const trace::Kind kWait, kBlock, kUnblock, kReady, kIssue, kIssueInVain, kFetch, kStart,
      kForm, kEnd, kBlockTaken, kBlockEnded;

  static trace::Origin of(WarpSlot warp, std::uint32_t pc) {
    return {.warp = static_cast<std::uint16_t>(warp), .pc = pc};
  }
  [[gnu::cold]] void note_change(WarpSlot warp, const Slot& slot, WarpState state) const;
  /// `first`, `second`, `third`: of the kind's fields.
  [[gnu::cold]] void note(Cycle at, const trace::Kind& kind, trace::Origin origin,
                          std::string_view cause, std::uint64_t first = 0, std::uint64_t second = 0,
                          std::uint64_t third = 0) const;

  trace::Log* log_ = nullptr;
};

}  // namespace heddle::sm
