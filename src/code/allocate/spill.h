#pragma once

// Spilling: if registers are scarce, values are stored on the thread's stack, or are computed again
// where they are read (rematerialised).

#include <cstdint>
#include <vector>

#include "code/allocate/live_ranges.h"
#include "code/function.h"

namespace heddle::code {

/// The number of instructions that access the stack.
struct SpillCounts {
  std::uint32_t loads = 0;
  std::uint32_t stores = 0;
};

class Spiller {
 public:
  explicit Spiller(Function& function) : function_(function) {}

  /// Spills virtual registers of the class, so that at most about `target` physical ones are live
  /// at once. Returns false if there is none that can be spilled with effect.
  bool reduce_pressure(RegisterClass register_class, std::uint32_t target);
  /// Rematerialises values of general registers where more than `target` registers are live at
  /// once: immediates, launch constants, special registers and loads from constant memory. Spills
  /// nothing to the stack.
  void rematerialise(std::uint32_t target);
  const SpillCounts& counts() const { return counts_; }

 private:
  /// The values among which choose() chooses.
  enum class Victims : std::uint8_t { all, rematerialisable };
  struct SpillLocation;
  class SpillLocations;

  /// Chooses values of the class to spill; returns their numbers in ValueNumbering.
  std::vector<std::uint32_t> choose(RegisterClass register_class, std::uint32_t target,
                                    Victims victims) const;
  /// Makes the code access the spilled values at their new locations.
  void rewrite(RegisterClass register_class, const std::vector<std::uint32_t>& spilled);
  void rewrite(BasicBlock& block, const SpillLocations& locations);
  SpillLocations locations_of(RegisterClass register_class,
                              const std::vector<std::uint32_t>& spilled);
  SpillLocation location_in_frame(std::uint32_t width);
  SpillLocation location_in_register();  ///< For a predicate.
  /// Adds a virtual register that is live only next to one instruction; returns its index.
  std::uint32_t new_short_lived(RegisterClass register_class, std::uint32_t width);

  Function& function_;
  SpillCounts counts_;
  /// By virtual register: whether spilling created it. Spilling such a register again is useless.
  EnumArray<RegisterClass, std::vector<bool>, kRegisterClasses> short_lived_;
};

}  // namespace heddle::code
