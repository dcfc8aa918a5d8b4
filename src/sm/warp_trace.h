#pragma once

// What a multiprocessor's pipeline notes for a trace. One line where it happens:
//
//   trace_.take_block(at, block);                 a block comes, whose warps start at `at`
//   trace_.start(at, warp, pc, block, row);       a warp starts
//   trace_.fetch(now, warp, pc, decoded);         where it goes on: at `decoded` that can issue
//   trace_.wait(now, warp, pc, cause, until);     it waits, for so long
//   trace_.block(now, warp, pc, cause);           it waits for something that will be told
//   trace_.unblock(now, warp, pc);                which has been
//   trace_.ready(now, warp, pc);                  it is among those that the scheduler looks at
//   trace_.issue(now, warp, pc, lanes, passes);   it was chosen
//   trace_.end(at, warp, pc);                     and ends
//   trace_.end_block(at, block);                  the last warp of its block has ended
//
// Where no trace is written, each of these is a test of a pointer.

#include <array>
#include <cstdint>
#include <string_view>

#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/stall_cause.h"
#include "trace/log.h"

namespace heddle::sm {

class WarpTrace {
 public:
  void to(trace::Log* log) { log_ = log; }
  explicit operator bool() const { return log_ != nullptr; }

  void take_block(Cycle at, std::uint64_t block) const {
    if (log_ != nullptr) note(at, kBlockTaken, {}, {}, block);
  }
  void end_block(Cycle at, std::uint64_t block) const {
    if (log_ != nullptr) note(at, kBlockEnded, {}, {}, block);
  }
  /// `row`: its number in the block, where it is one warp of the program.
  void start(Cycle at, WarpSlot warp, std::uint32_t pc, std::uint64_t block,
             std::uint64_t row) const {
    if (log_ != nullptr) note(at, kStart, of(warp, pc), {}, block, row);
  }
  void fetch(Cycle at, WarpSlot warp, std::uint32_t pc, Cycle decoded) const {
    if (log_ != nullptr) note(at, kFetch, of(warp, pc), {}, decoded.number);
  }
  void wait(Cycle at, WarpSlot warp, std::uint32_t pc, StallCause cause, Cycle until) const {
    if (log_ != nullptr) note(at, kWait, of(warp, pc), name_of(cause), until.number);
  }
  void block(Cycle at, WarpSlot warp, std::uint32_t pc, StallCause cause) const {
    if (log_ != nullptr) note(at, kBlock, of(warp, pc), name_of(cause));
  }
  void unblock(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kUnblock, of(warp, pc), {});
  }
  void ready(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kReady, of(warp, pc), {});
  }
  void issue(Cycle at, WarpSlot warp, std::uint32_t pc, std::uint32_t lanes,
             std::uint32_t passes = 1) const {
    if (log_ != nullptr) note(at, kIssue, of(warp, pc), {}, lanes, passes);
  }
  void end(Cycle at, WarpSlot warp, std::uint32_t pc) const {
    if (log_ != nullptr) note(at, kEnd, of(warp, pc), {});
  }

 private:
  static const trace::Kind kBlockTaken, kBlockEnded, kStart, kFetch, kWait, kBlock, kUnblock,
      kReady, kIssue, kEnd;

  static trace::Origin of(WarpSlot warp, std::uint32_t pc) {
    return {.warp = static_cast<std::uint16_t>(warp), .pc = pc};
  }
  /// `first`, `second`: of the kind's fields.
  [[gnu::cold]] void note(Cycle at, const trace::Kind& kind, trace::Origin origin,
                          std::string_view cause, std::uint64_t first = 0,
                          std::uint64_t second = 0) const;

  trace::Log* log_ = nullptr;
};

}  // namespace heddle::sm
