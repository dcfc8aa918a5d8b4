#pragma once

// Error detection with uniform vectors (Xiang's dissertation, Toward Efficient SIMT Execution,
// section 2.4.4). A uniform instruction is computed in two lanes, and the results are compared. A
// uniform value is kept twice: in two lanes, or in a scalar register and a lane. The entries of the
// reuse buffer have a parity bit. This takes energy but no time. ErrorDetection counts what it
// covers: operations of arithmetic units, and registers while they are live.

#include <cstdint>
#include <span>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/redundancy/register_lives.h"

namespace heddle::sm {

/// How an instruction of an arithmetic unit is computed.
enum class Computed : std::uint8_t { in_all_lanes, in_one_lane, reused };

class ErrorDetection {
 public:
  /// An arithmetic instruction is executed for `lanes` lanes.
  void count(Computed computed, std::uint32_t lanes);
  /// The one copy of a uniform value is written, and with it a second copy.
  void count_second_copy() { ++second_copies_; }

  // A vector register is live from when it is written until it is read for the last time. See
  // RegisterLives for these functions.
  std::span<const Stretch> read(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now);
  void write(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now, LaneMask lanes,
             Protection protection) {
    lives_.write(hardware_warp, number, now, lanes, protection);
  }
  void ended(HardwareWarpId hardware_warp) { lives_.ended(hardware_warp); }
  const RegisterLives& lives() const { return lives_; }

  void declare(CounterList& counters);

 private:
  RegisterLives lives_;
  std::uint64_t operations_ = 0;
  std::uint64_t protected_operations_ = 0;
  std::uint64_t comparisons_ = 0;
  std::uint64_t parities_ = 0;
  std::uint64_t second_copies_ = 0;
  std::uint64_t live_cycles_ = 0;
  std::uint64_t protected_live_cycles_ = 0;
  std::uint64_t loaded_live_cycles_ = 0;  ///< Of protected values that loads have written.
};

}  // namespace heddle::sm
