#pragma once

// Error detection with uniform vectors (Xiang's dissertation, Toward Efficient SIMT Execution,
// section 2.4.4). A uniform instruction is computed in two lanes, and the results are compared. A
// uniform value is kept twice. The entries of the reuse buffer have a parity bit. This takes energy
// but no time. ErrorDetection counts what it covers: operations of arithmetic units, and registers
// while they are live.

#include <array>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"

namespace heddle::sm {

/// How many of a register's lanes an instruction writes.
enum class WrittenLanes : std::uint8_t { all, some };
enum class Protection : std::uint8_t { none, duplicated };

class ErrorDetection {
 public:
  ErrorDetection();

  /// A vector instruction has been computed in `lanes` lanes.
  void count_vector(std::uint32_t lanes) { operations_ += lanes; }
  /// A uniform instruction has been computed in two lanes instead of all.
  void count_compared();
  /// The result of a uniform instruction was taken from the reuse buffer.
  void count_reused();

  // A vector register is live from when it is written until it is read for the last time.
  void read(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now);
  void write(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now, WrittenLanes lanes,
             Protection protection);
  /// The registers of the hardware warp are not read any more.
  void ended(HardwareWarpId hardware_warp);

  void declare(CounterList& counters);

 private:
  /// Cycles of a register's life, in which it was protected and in which it was not.
  struct Cycled {
    std::uint64_t all = 0;
    std::uint64_t duplicated = 0;
  };
  struct Register {
    Cycle since;  ///< When it was written or read last.
    Protection protection = Protection::none;
    /// Cycles before `since` in which it was live if it will be read again: a partial write has
    /// kept some of its lanes.
    Cycled if_read{};
  };
  using Registers = std::array<Register, kFirstPredicate>;

  static void add_cycles(const Register& entry, Cycle now, Cycled& to);

  std::vector<Registers> registers_;  ///< By hardware warp.
  std::uint64_t operations_ = 0;
  std::uint64_t protected_operations_ = 0;
  std::uint64_t comparisons_ = 0;
  std::uint64_t parities_ = 0;
  Cycled live_;
};

}  // namespace heddle::sm
