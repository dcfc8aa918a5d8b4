#pragma once

// Trace events of a multiprocessor's pipeline. Each is one call:
//
//   trace_.change(warp, slot, state);           a warp changes its state: it waits for a cycle or
//                                               an event, resumes, is ready, or ends
//   trace_.issue(at, warp, pc, lanes, passes);  a scheduler has picked the warp
//   trace_.issue_wrong_path(at, warp, pc);      the same, on the wrong path after a branch
//   trace_.fetch(at, warp, pc, decoded);        instructions from `pc` on are fetched for the warp
//   trace_.start(at, warp, pc, block, static_warp, static_warps);  the warp starts
//   trace_.form(at, warp, pc, lanes, passed);   threads form a warp, or join one
//   trace_.end(at, warp, pc);                   the warp ends
//   trace_.admit_block(at, block);               a block is admitted; its warps start at `at`
//   trace_.end_block(at, block);                the last warp of a block has ended
//
// If no trace is written, each call only tests a pointer.

#include <cstdint>
#include <string_view>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/warps/warp_state.h"
#include "trace/log.h"

namespace heddle::sm {

struct Slot;

class WarpTrace {
 public:
  void to(trace::Log* log) { log_ = log; }
  explicit operator bool() const { return log_ != nullptr; }

  /// `slot` is complete except for the new state.
  void change(WarpSlot warp, const Slot& slot, WarpState state) const {
    if (log_ != nullptr) note_change(warp, slot, state);
  }
  void issue(Cycle at, WarpSlot warp, std::uint32_t pc, std::uint64_t lanes,
             std::uint64_t passes) const {
    if (log_ != nullptr) note(at, kIssue, of(warp, pc), {}, lanes, passes);
  }
  void issue_wrong_path(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kIssueWrongPath, of(warp, pc), {});
  }
  void fetch(Cycle at, WarpSlot warp, std::uint32_t pc, Cycle decoded) const {
    if (log_ != nullptr) note(at, kFetch, of(warp, pc), {}, decoded.number);
  }
  /// `static_warp`: the first of its static warps, by its number in the block.
  void start(Cycle at, WarpSlot warp, std::uint32_t pc, std::uint64_t block,
             std::uint64_t static_warp, std::uint64_t static_warps) const {
    if (log_ != nullptr) note(at, kStart, of(warp, pc), {}, block, static_warp, static_warps);
  }
  /// `passed`: the fewest post-dominators that one of its threads has passed.
  void form(Cycle at, WarpSlot warp, std::uint32_t pc, LaneMask lanes, std::uint64_t passed) const {
    if (log_ == nullptr) return;
    note(at, kForm, of(warp, pc), {}, static_cast<std::uint64_t>(lanes.count()), passed);
  }
  void end(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kEnd, of(warp, pc), {});
  }
  void admit_block(Cycle at, std::uint64_t block) const {
    if (log_ != nullptr) note(at, kBlockTaken, {}, {}, block);
  }
  void end_block(Cycle at, std::uint64_t block) const {
    if (log_ != nullptr) note(at, kBlockEnded, {}, {}, block);
  }

 private:
  static const trace::Kind kWait, kBlock, kUnblock, kReady, kIssue, kIssueWrongPath, kFetch, kStart,
      kForm, kEnd, kBlockTaken, kBlockEnded;

  static trace::Origin of(WarpSlot warp, std::uint32_t pc) {
    return {.warp = static_cast<std::uint16_t>(warp), .pc = pc};
  }
  [[gnu::cold]] void note_change(WarpSlot warp, const Slot& slot, WarpState state) const;
  /// `first`, `second`, `third`: values of the fields of the kind.
  [[gnu::cold]] void note(Cycle at, const trace::Kind& kind, trace::Origin origin,
                          std::string_view cause, std::uint64_t first = 0, std::uint64_t second = 0,
                          std::uint64_t third = 0) const;

  trace::Log* log_ = nullptr;
};

}  // namespace heddle::sm
