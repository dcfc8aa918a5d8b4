#pragma once

// Trace events of a multiprocessor's pipeline. Each is one call:
//
//   trace_.change(warp, slot, state);           a warp changes its state: it waits for a cycle or
//                                               an event, resumes, is ready, or ends
//   trace_.issue(at, warp, pc, lanes, passes);  a scheduler has picked the warp
//   trace_.issue_wrong_path(at, warp, pc);      the same, on the wrong path after a branch
//   trace_.issue_ahead(at, warp, pc);           the same, on a second context, while the warp waits
//   trace_.fetch(at, warp, pc, decoded);        instructions from `pc` on are fetched for the warp
//   trace_.start(at, warp, pc, block, static_warp, static_warps);  the warp starts
//   trace_.form(at, warp, pc, lanes, passed);   threads form a warp, or join one
//   trace_.end(at, warp, pc);                   the warp ends
//   trace_.admit_block(at, block);              a block is admitted; its warps start at `at`
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
  /// From now on events are written to `log`; none are written if it is null.
  void write_to(trace::Log* log) { log_ = log; }
  explicit operator bool() const { return log_ != nullptr; }

  /// `slot` still has the old state; its other members already describe the new state.
  void change(WarpSlot warp, const Slot& slot, WarpState state) const {
    if (log_ != nullptr) note_change(warp, slot, state);
  }
  void issue(Cycle at, WarpSlot warp, std::uint32_t pc, std::uint64_t lanes,
             std::uint64_t passes) const {
    if (log_ != nullptr) note(at, kIssue, origin_of(warp, pc), {}, lanes, passes);
  }
  void issue_wrong_path(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kIssueWrongPath, origin_of(warp, pc), {});
  }
  void issue_ahead(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kIssueAhead, origin_of(warp, pc), {});
  }
  /// The instruction that issues has been executed ahead: its results are reused.
  void reuse(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kReuse, origin_of(warp, pc), {});
  }
  void fetch(Cycle at, WarpSlot warp, std::uint32_t pc, Cycle decoded) const {
    if (log_ != nullptr) note(at, kFetch, origin_of(warp, pc), {}, decoded.number);
  }
  /// `static_warp`: the number in the block of the warp's first static warp. `static_warps`: how
  /// many static warps the warp has.
  void start(Cycle at, WarpSlot warp, std::uint32_t pc, std::uint64_t block,
             std::uint64_t static_warp, std::uint64_t static_warps) const {
    if (log_ == nullptr) return;
    note(at, kStart, origin_of(warp, pc), {}, block, static_warp, static_warps);
  }
  /// `passed`: the number of post-dominators of branches that a thread of the warp has passed; the
  /// minimum over the threads.
  void form(Cycle at, WarpSlot warp, std::uint32_t pc, LaneMask lanes, std::uint64_t passed) const {
    if (log_ == nullptr) return;
    note(at, kForm, origin_of(warp, pc), {}, static_cast<std::uint64_t>(lanes.count()), passed);
  }
  void end(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kEnd, origin_of(warp, pc), {});
  }
  void admit_block(Cycle at, std::uint64_t block) const {
    if (log_ != nullptr) note(at, kBlockTaken, {}, {}, block);
  }
  void end_block(Cycle at, std::uint64_t block) const {
    if (log_ != nullptr) note(at, kBlockEnded, {}, {}, block);
  }

 private:
  static const trace::Kind kWait, kBlock, kUnblock, kReady, kIssue, kIssueWrongPath, kIssueAhead,
      kReuse, kFetch, kStart, kForm, kEnd, kBlockTaken, kBlockEnded;

  static trace::Origin origin_of(WarpSlot warp, std::uint32_t pc) {
    return {.warp = static_cast<std::uint16_t>(warp), .pc = pc};
  }
  [[gnu::cold]] void note_change(WarpSlot warp, const Slot& slot, WarpState state) const;
  /// `first`, `second`, `third`: the values of the fields that the event kind declares, in order.
  [[gnu::cold]] void note(Cycle at, const trace::Kind& kind, trace::Origin origin,
                          std::string_view cause, std::uint64_t first = 0, std::uint64_t second = 0,
                          std::uint64_t third = 0) const;

  trace::Log* log_ = nullptr;
};

}  // namespace heddle::sm
