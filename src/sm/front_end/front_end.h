#pragma once

// Fetch through the instruction cache, decode, and the warps' instruction buffers.

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
#include "sm/warp_trace.h"

namespace heddle::sm {

/// Takes the accesses of its warps in the order in which they come up, as many in a cycle as the
/// cache has ports. A fetch brings what it can of the aligned group of `width` instructions in
/// which the warp goes on, and they can issue `latency` cycles after the access, or after their
/// line has come. A warp fetches ahead, one group a cycle at most, while its buffer has room for a
/// whole group. What it fetched and does not need has taken its accesses all the same.
class FrontEnd {
 public:
  FrontEnd(const FetchDescription& fetch, const InstructionCacheDescription& cache);

  /// What the warp executes from now on begins there in the memory of instructions.
  void start(WarpSlot warp, std::uint32_t code_begin) { buffers_[warp].code_begin = code_begin; }
  /// The warp goes on at `pc`, whatever is in its buffer: as it begins, or after a branch. The
  /// fetch begins at `from` at the earliest. Returns the first cycle in which the instruction can
  /// issue.
  Cycle redirect(WarpSlot warp, std::uint32_t pc, Cycle from) {
    Buffer& buffer = buffers_[warp];
    buffer.end = pc;
    buffer.access_from = from;
    fill(buffer, pc, from);
    return buffer.ready[slot_of(pc)];
  }
  /// The warp has issued an instruction at `now`, not before the cycle returned for it, and goes on
  /// with the one after it, at `pc`. Returns the first cycle, not `now` itself, in which that one
  /// can issue.
  Cycle advance(WarpSlot warp, std::uint32_t pc, Cycle now) {
    Buffer& buffer = buffers_[warp];
    const Cycle next = now + Cycles(1);
    assert(buffer.end - pc <= capacity_);
    if (has_room(buffer, pc)) fill(buffer, pc, next);
    return std::max(next, buffer.ready[slot_of(pc)]);
  }
  /// From when on it is to be redirected so that the instruction can issue at `at`.
  Cycle access_for(Cycle at) const { return Cycle(at.number - latency_.count); }

  /// As redirect() for one instruction, where warps are not fetched for until a scheduler chooses
  /// them: it chooses one a cycle, so that the port is free then. Those that it did not choose have
  /// not taken a port's time.
  Cycle fetch_chosen(WarpSlot warp, std::uint32_t pc, Cycle at) {
    return cache_.access(buffers_[warp].code_begin + pc, at) + latency_;
  }
  /// Another program: what the cache holds is of no more use.
  void invalidate() { cache_.invalidate(); }

  // -- until it turns out that the warp goes on elsewhere -----------------------------------------
  /// As redirect(), and as advance() after the instruction before `pc`, which issued before `from`.
  /// Nothing is fetched from `until` on, so that the instruction may never come.
  Cycle redirect_in_vain(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until);
  Cycle advance_in_vain(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until);
  /// As advance_in_vain() straight on from where the warp is.
  Cycle go_on_in_vain(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until) {
    in_vain_[warp] = buffers_[warp];
    return advance_in_vain(warp, pc, from, until);
  }

  void declare(CounterList& counters) { cache_.declare(counters); }
  /// What it fetches ahead is noted there; nothing where it is null.
  void trace(trace::Log* log) { trace_.to(log); }

 private:
  static constexpr std::uint32_t kMostBuffered = 16;

  /// The instructions from the one that issues next to the one before `end`.
  struct Buffer {
    WarpSlot warp = 0;
    std::uint32_t end = 0;
    std::uint32_t code_begin = 0;
    Cycle access_from;                         ///< When the warp can fetch again.
    std::array<Cycle, kMostBuffered> ready{};  ///< By group: when its instructions can issue.
  };

  std::size_t slot_of(std::uint32_t pc) const { return (pc >> group_shift_) % kMostBuffered; }
  bool has_room(const Buffer& buffer, std::uint32_t pc) const {
    return buffer.end - pc + group_ <= capacity_;
  }
  /// Fetches as long as there is room.
  void fill(Buffer& buffer, std::uint32_t pc, Cycle from);
  void fetch_group(Buffer& buffer);
  void trace_fetch(const Buffer& buffer, Cycle at) const;
  PortCalendar& port_for(Cycle earliest);

  std::uint32_t group_ = 1;  ///< Instructions that an access can bring: a power of two.
  int group_shift_ = 0;
  std::uint32_t capacity_ = 1;
  Cycles latency_;
  InstructionCache cache_;
  std::vector<PortCalendar> ports_;
  std::vector<Buffer> buffers_;
  std::vector<Buffer> in_vain_;  ///< Of what is given up; the others are redirected meanwhile.
  WarpTrace trace_;
};

}  // namespace heddle::sm
