#pragma once

// The front end of a sub-core fetches the instructions of its warps and decodes them. It keeps them
// in an instruction buffer for each warp. All sub-cores share the instruction cache.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/cycle.h"
#include "sm/front_end/front_end_description.h"
#include "sm/front_end/instruction_cache.h"
#include "sm/ids.h"
#include "sm/port_calendar.h"
#include "sm/warps/warp_trace.h"

namespace heddle::sm {

/// The front end accesses the instruction cache in the order of the warps' requests, once per cycle
/// and port. The unit of a fetch is an aligned group of `width` instructions; a fetch brings those
/// of the group from the program counter on. They can issue `latency` cycles after the access or,
/// if it missed, after the arrival of their line. A warp fetches ahead, at most one group per
/// cycle, while its buffer has space for a whole group. Fetches that turn out to be useless also
/// use a port.
class FrontEnd {
 public:
  /// Throws InputError if the description is not possible.
  FrontEnd(const FetchDescription& fetch, InstructionCache& cache);

  /// Starts a warp: its program's code begins at `code_begin` in instruction memory.
  void start(WarpSlot warp, std::uint32_t code_begin) { buffers_[warp].code_begin = code_begin; }
  /// At the start of a warp, or after a branch: empties the buffer, and fetches from `pc` on, at
  /// `from` at the earliest. Returns the first cycle in which the instruction at `pc` can issue.
  Cycle redirect(WarpSlot warp, std::uint32_t pc, Cycle from) {
    Buffer& buffer = buffers_[warp];
    buffer.end = pc;
    buffer.access_from = from;
    fill(buffer, pc, from);
    return buffer.ready[group_of(pc)];
  }
  /// The warp has issued the instruction before `pc` at `now`, and continues at `pc`. `now` must
  /// not be earlier than the cycle returned for the issued instruction. Returns the first cycle
  /// after `now` in which the instruction at `pc` can issue.
  Cycle advance(WarpSlot warp, std::uint32_t pc, Cycle now) {
    Buffer& buffer = buffers_[warp];
    const Cycle next = now + Cycles(1);
    assert(buffer.end - pc <= capacity_);
    if (has_space(buffer, pc)) fill(buffer, pc, next);
    return std::max(next, buffer.ready[group_of(pc)]);
  }
  /// Instructions of a warp: from `begin` to the one before `end`.
  struct Bypassed {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  /// Instead of advance() or, if the warp `jumps`, redirect(): the `count` instructions from `pc`
  /// on come from elsewhere, and need not be fetched. Returns those of them that the buffer has now
  /// without having fetched them. Later instructions are fetched from `from` on, while the buffer
  /// has space.
  Bypassed bypass(WarpSlot warp, std::uint32_t pc, std::uint32_t count, bool jumps, Cycle from);
  /// Removes the instructions from `pc` on from the buffer.
  void shorten(WarpSlot warp, std::uint32_t pc) {
    buffers_[warp].end = std::min(buffers_[warp].end, pc);
  }
  /// The argument `from` of redirect() for an instruction that is to issue at `at`.
  Cycle access_for(Cycle at) const { return Cycle(at.number - latency_.count); }

  /// As redirect(), for multiprocessors that fetch an instruction only when a scheduler has picked
  /// its warp (dependence.policy barrel). There each scheduler has a port, so the port is always
  /// free.
  Cycle fetch_chosen(WarpSlot warp, std::uint32_t pc, Cycle at) {
    return cache_.access(buffers_[warp].code_begin + pc, at) + latency_;
  }

  // -- speculative fetches ------------------------------------------------------------------------
  // A warp fetches speculatively on a wrong path, until its mispredicted branch is resolved, and
  // for its second context, while it waits for memory. These fetches have a buffer of their own,
  // but use the same ports.
  //
  // On a wrong path, no fetch begins at `until` or later. The functions return the first cycle in
  // which the instruction at `pc` can issue; never() if it is not fetched.
  /// As redirect(): continues with a jump to `pc`.
  Cycle redirect_speculatively(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until);
  /// As advance(): the instruction before `pc` issued before `from`.
  Cycle advance_speculatively(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until);
  /// Begins with the contents of the warp's buffer, and continues at `pc`, which is the next
  /// instruction in that buffer.
  Cycle begin_speculation(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until) {
    speculative_buffers_[warp] = buffers_[warp];
    return advance_speculatively(warp, pc, from, until);
  }

  // For a second context, fetch_ahead() uses the cycles of ports that no other fetch has booked.
  /// Begins with the contents of the warp's buffer. Further fetches are not before `from`.
  void begin_ahead(WarpSlot warp, Cycle from) {
    speculative_buffers_[warp] = buffers_[warp];
    advance_ahead(warp, from);
  }
  /// The next instruction is the one after the last. Further fetches are not before `from`.
  void advance_ahead(WarpSlot warp, Cycle from) {
    Buffer& buffer = speculative_buffers_[warp];
    buffer.access_from = std::max(buffer.access_from, from);
  }
  /// Continues with a jump to `pc`. Further fetches are not before `from`.
  void redirect_ahead(WarpSlot warp, std::uint32_t pc, Cycle from);
  /// Called in each cycle before normal instructions issue. Fetches for the context, which is at
  /// `pc`, if its buffer has space and a port is free at `now`.
  void fetch_ahead(WarpSlot warp, std::uint32_t pc, Cycle now);
  /// The first cycle in which the instruction at `pc` can issue; never() if it has not been
  /// fetched.
  Cycle ready_ahead(WarpSlot warp, std::uint32_t pc) const {
    const Buffer& buffer = speculative_buffers_[warp];
    return buffer.end == pc ? Cycle::never() : buffer.ready[group_of(pc)];
  }
  /// The first cycle after `now` in which fetch_ahead() may fetch; never() if the buffer is full.
  Cycle next_ahead(WarpSlot warp, std::uint32_t pc, Cycle now) const {
    const Buffer& buffer = speculative_buffers_[warp];
    return has_space(buffer, pc) ? std::max(buffer.access_from, now + Cycles(1)) : Cycle::never();
  }

  /// From now on fetches are written to `log`; none are written if it is null.
  void trace(trace::Log* log) { trace_.write_to(log); }

 private:
  static constexpr std::uint32_t kMaxBuffered = 16;  ///< Instructions per warp.

  /// A warp's instruction buffer. It contains the instructions from the next one to issue up to the
  /// one before `end`.
  struct Buffer {
    WarpSlot warp = 0;
    std::uint32_t end = 0;
    std::uint32_t code_begin = 0;             ///< Where the program begins in instruction memory.
    Cycle access_from;                        ///< When the warp can fetch again.
    std::array<Cycle, kMaxBuffered> ready{};  ///< When the instructions of each group can issue.
  };

  /// The index in Buffer::ready of the instruction's group.
  std::size_t group_of(std::uint32_t pc) const { return (pc >> group_shift_) % kMaxBuffered; }
  /// Whether the buffer of a warp that is at `pc` has space for a whole group.
  bool has_space(const Buffer& buffer, std::uint32_t pc) const {
    return buffer.end - pc + group_size_ <= capacity_;
  }
  /// Fetches a group, and further ones while the buffer has space.
  void fill(Buffer& buffer, std::uint32_t pc, Cycle from);
  void fetch_group(Buffer& buffer);
  void trace_fetch(const Buffer& buffer, Cycle at) const;
  PortCalendar& port_for(Cycle earliest);

  std::uint32_t group_size_ = 1;  ///< The number of instructions in a group, a power of two.
  int group_shift_ = 0;           ///< Its logarithm to base 2.
  std::uint32_t capacity_ = 1;    ///< Of a warp's buffer, in instructions.
  Cycles latency_;
  InstructionCache& cache_;
  std::vector<PortCalendar> ports_;
  std::vector<Buffer> buffers_;
  /// By slot, the buffers of speculative fetches. The warp's entry of buffers_ serves what it
  /// executes afterwards.
  std::vector<Buffer> speculative_buffers_;
  WarpTrace trace_;
};

}  // namespace heddle::sm
