#pragma once

#include <cstddef>
#include <cstdint>

#include "base/counters.h"
#include "base/enum_array.h"

namespace heddle::sm {

/// Why a warp that runs ahead issues nothing, nearest to issuing first. All but no_register are the
/// classes of Kim et al., Warped-Preexecution, section 3. They are counted, and decide nothing.
enum class AheadStall : std::uint8_t {
  sp_sfu_full,        ///< The unit or the operand collectors are full, or its scheduler is busy.
  lsu_full,           ///< The queue to memory is full.
  no_register,        ///< No renaming register is free.
  short_latency_raw,  ///< It waits for a result.
  instruction_buffer_empty,  ///< Its next instruction is not in the buffer, or has been skipped.
  long_latency_raw,          ///< It has halted. It only waits for memory.
  barrier_wait,              ///< It has halted at a barrier.
  no_instruction_left,       ///< It has reached the end of the program.
};
inline constexpr std::size_t kAheadStalls = values_up_to(AheadStall::no_instruction_left);

/// Cycles of schedulers whose warps wait for memory, by what stalls the nearest warp ahead.
class AheadStalls {
 public:
  void add(AheadStall stall, std::uint64_t cycles) { cycles_[stall] += cycles; }
  void declare(CounterList& counters);

 private:
  EnumArray<AheadStall, std::uint64_t, kAheadStalls> cycles_{};
};

}  // namespace heddle::sm
