#pragma once

// The front end: fetch through the instruction cache, decode, and the instruction buffers of the
// warps.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/front_end/front_end_description.h"
#include "sm/front_end/instruction_cache.h"
#include "sm/ids.h"
#include "sm/operands/port_calendar.h"
#include "sm/warps/warp_trace.h"

namespace heddle::sm {

/// Accesses the instruction cache for the warps in the order of their requests, as many times a
/// cycle as the cache has ports. A fetch brings the instructions at and after the program counter
/// in its aligned group of `width` instructions. They can issue `latency` cycles after the access,
/// or after the arrival of their line if it missed. A warp fetches ahead, at most one group a
/// cycle, while its buffer has space for a whole group. Fetches that turn out to be useless have
/// used the port all the same.
class FrontEnd {
 public:
  FrontEnd(const FetchDescription& fetch, const InstructionCacheDescription& cache);

  /// Starts a warp: its program's code begins at `code_begin` in instruction memory.
  void start(WarpSlot warp, std::uint32_t code_begin) { buffers_[warp].code_begin = code_begin; }
  /// Fetches the instruction at `pc` and drops the contents of the buffer: at the start of the
  /// warp, or after a branch. The fetch begins at `from` at the earliest. Returns the first cycle
  /// in which the instruction can issue.
  Cycle redirect(WarpSlot warp, std::uint32_t pc, Cycle from) {
    Buffer& buffer = buffers_[warp];
    buffer.end = pc;
    buffer.access_from = from;
    fill(buffer, pc, from);
    return buffer.ready[slot_of(pc)];
  }
  /// The warp has issued an instruction at `now`, no earlier than the cycle returned for that
  /// instruction, and continues at `pc`, with the instruction after it. Returns the first cycle
  /// after `now` in which the instruction at `pc` can issue.
  Cycle advance(WarpSlot warp, std::uint32_t pc, Cycle now) {
    Buffer& buffer = buffers_[warp];
    const Cycle next = now + Cycles(1);
    assert(buffer.end - pc <= capacity_);
    if (has_room(buffer, pc)) fill(buffer, pc, next);
    return std::max(next, buffer.ready[slot_of(pc)]);
  }
  /// The `from` to pass to redirect() so that the instruction can issue at `at`.
  Cycle access_for(Cycle at) const { return Cycle(at.number - latency_.count); }

  /// As redirect(), for a machine that fetches an instruction of a warp only when the scheduler
  /// picks the warp. The scheduler picks one warp a cycle, and warps that were not picked have not
  /// used the port, so the port is free.
  Cycle fetch_chosen(WarpSlot warp, std::uint32_t pc, Cycle at) {
    return cache_.access(buffers_[warp].code_begin + pc, at) + latency_;
  }
  /// Empties the cache, when another program starts.
  void invalidate() { cache_.invalidate(); }

  // -- fetches on the wrong path, until a mispredicted branch is resolved -------------------------
  // These two are like redirect(), and like advance() after the instruction before `pc`, which
  // issued before `from`. Fetching stops at `until`: they return never() if the instruction is not
  // fetched by then.
  Cycle redirect_on_wrong_path(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until);
  Cycle advance_on_wrong_path(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until);
  /// As advance_on_wrong_path(), if the wrong path is the fall-through path.
  Cycle fall_through_to_wrong_path(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until) {
    wrong_path_buffers_[warp] = buffers_[warp];
    return advance_on_wrong_path(warp, pc, from, until);
  }

  void declare(CounterList& counters) { cache_.declare(counters); }
  /// Fetches ahead are written to `log`, if it is not null.
  void trace(trace::Log* log) { trace_.to(log); }

 private:
  static constexpr std::uint32_t kMostBuffered = 16;

  /// The buffered instructions: from the next one to issue to the one before `end`.
  struct Buffer {
    WarpSlot warp = 0;
    std::uint32_t end = 0;
    std::uint32_t code_begin = 0;
    Cycle access_from;                         ///< When the warp can fetch again.
    std::array<Cycle, kMostBuffered> ready{};  ///< When the instructions of each group can issue.
  };

  std::size_t slot_of(std::uint32_t pc) const { return (pc >> group_shift_) % kMostBuffered; }
  bool has_room(const Buffer& buffer, std::uint32_t pc) const {
    return buffer.end - pc + group_size_ <= capacity_;
  }
  /// Fetches while the buffer has space.
  void fill(Buffer& buffer, std::uint32_t pc, Cycle from);
  void fetch_group(Buffer& buffer);
  void trace_fetch(const Buffer& buffer, Cycle at) const;
  PortCalendar& port_for(Cycle earliest);

  std::uint32_t group_size_ = 1;  ///< The number of instructions of a fetch, a power of two.
  int group_shift_ = 0;
  std::uint32_t capacity_ = 1;
  Cycles latency_;
  InstructionCache cache_;
  std::vector<PortCalendar> ports_;
  std::vector<Buffer> buffers_;
  /// Buffers of wrong paths; buffers_ are redirected to the right path meanwhile.
  std::vector<Buffer> wrong_path_buffers_;
  WarpTrace trace_;
};

}  // namespace heddle::sm
