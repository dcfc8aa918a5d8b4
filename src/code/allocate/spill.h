#pragma once

// Spilling: if registers are scarce, values are kept on the thread's stack, or are computed again
// where they are read (rematerialised).

#include <cstdint>
#include <vector>

#include "code/allocate/live_ranges.h"
#include "code/function.h"

namespace heddle::code {

struct SpillCounts {
  std::uint32_t loads = 0;
  std::uint32_t stores = 0;
};

class Spiller {
 public:
  explicit Spiller(Function& function) : function_(function) {}

  /// Spills registers of the class until about `target` of them are live at once. Returns false if
  /// no register can be spilled.
  bool reduce_pressure(RegisterClass register_class, std::uint32_t target);
  /// Rematerialises values of general registers next to their reads, where more than `target`
  /// registers are live at once. That applies to immediates, launch constants, special registers
  /// and constants in memory. Nothing is spilled to the stack.
  void rematerialise(std::uint32_t target);
  const SpillCounts& counts() const { return counts_; }

 private:
  /// The values that may lose their registers.
  enum class Victims : std::uint8_t { all, rematerialisable };
  struct SpillLocation;
  class SpillLocations;

  /// Chooses values of the class to spill; returns their numbers in ValueNumbering.
  std::vector<std::uint32_t> choose(RegisterClass register_class, std::uint32_t target,
                                    Victims victims) const;
  void rewrite(RegisterClass register_class, const std::vector<std::uint32_t>& spilled);
  void rewrite(BasicBlock& block, const SpillLocations& locations);
  SpillLocations locations_of(RegisterClass register_class,
                              const std::vector<std::uint32_t>& spilled);
  SpillLocation location_in_frame(std::uint32_t width);
  SpillLocation location_in_register();
  std::uint32_t new_short_lived(RegisterClass register_class, std::uint32_t width);

  Function& function_;
  SpillCounts counts_;
  /// By register: whether spilling created it. Such registers are too short-lived to spill again.
  EnumArray<RegisterClass, std::vector<bool>, kRegisterClasses> short_lived_;
};

}  // namespace heddle::code
