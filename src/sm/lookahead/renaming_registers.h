#pragma once

// The registers that take results ahead (Kim et al., Warped-Preexecution, sections 5 and 5.1): the
// last warp registers of a multiprocessor, as far as its resident blocks do not use them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"

namespace heddle::sm {

/// The number of a renaming register, from 0 on. The last one is the last register of the
/// multiprocessor.
using RenamingRegister = std::uint8_t;
inline constexpr RenamingRegister kNotRenamed = 0xff;

/// Records which renaming registers can be taken. It is the paper's availability vector.
///
/// A register that is taken has users: entries of renaming tables and of queues. It can be taken
/// again when its last user has released it, and the result for which it was taken has been
/// written. Otherwise a late result would overwrite that of the next warp.
class RenamingRegisters {
 public:
  static constexpr std::uint32_t kMost = 128;

  /// `total`: the number of warp registers of the multiprocessor, of which the last `count` can be
  /// renaming registers. They lie in `banks` banks.
  RenamingRegisters(std::uint32_t count, std::uint32_t total, std::uint32_t banks);

  /// Blocks leave `free` registers of the multiprocessor. Blocks occupy the first registers, so the
  /// last `free` ones can be renaming registers.
  void set_free(std::uint32_t free) { first_ = free < count_ ? count_ - free : 0; }
  /// Whether a block occupies the register.
  bool belongs_to_block(RenamingRegister number) const { return number < first_; }

  /// Whether `count` registers can be taken at `now`.
  bool has(std::uint32_t count, Cycle now);
  /// The first cycle after `now` in which a register can be taken because its result has been
  /// written; never() if there is none.
  Cycle next(Cycle now) const;
  /// Counts the cycles until `now` in which registers were in use. Called before a change.
  void count_until(Cycle now) {
    if (now <= counted_until_) return;
    register_cycles_ += (now - counted_until_).count * (taken_ - freed_);
    counted_until_ = now;
  }
  /// Takes a register for one user: the first in the bank, else the first one. has(1, now) must be
  /// true. Its result has not been written.
  RenamingRegister take(std::uint32_t bank, Cycle now);
  void add_user(RenamingRegister number) { ++registers_[number].users; }
  void release(RenamingRegister number);
  /// The result of the register is written at `at`.
  void set_written(RenamingRegister number, Cycle at);
  /// The bank in which the register lies.
  std::uint32_t bank_of(RenamingRegister number) const {
    return (total_ - count_ + number) % banks_;
  }

  void declare(CounterList& counters);

 private:
  struct Register {
    std::uint32_t users = 0;
    Cycle written = Cycle::never();  ///< When its result is written, if it has been taken.
  };
  using Bits = std::array<std::uint64_t, kMost / 64>;

  void settle(Cycle now);
  RenamingRegister first_available(const Bits& among) const;

  std::uint32_t count_;
  std::uint32_t total_;
  std::uint32_t banks_;
  std::uint32_t first_ = 0;  ///< The first register that belongs to no block.
  std::vector<Register> registers_;
  Bits available_{};
  std::vector<Bits> banks_of_;               ///< By bank: its registers.
  std::vector<RenamingRegister> unwritten_;  ///< Released registers whose results are on the way.
  std::uint64_t taken_ = 0;
  std::uint64_t freed_ = 0;
  std::uint64_t register_cycles_ = 0;
  Cycle counted_until_;
};

}  // namespace heddle::sm
