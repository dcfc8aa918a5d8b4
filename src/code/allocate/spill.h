#pragma once

// What to do when registers run short: values go to the thread's stack, or are rematerialised.

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

  /// Spills registers of the class until about `target` of them live at once. False where there is
  /// nothing that spilling would help.
  bool reduce_pressure(RegisterClass register_class, std::uint32_t target);
  /// Computes general registers again beside their readers where more than `target` live at once:
  /// immediates, launch constants, special registers and constants in memory. Nothing goes to the
  /// stack.
  void rematerialise(std::uint32_t target);
  const SpillCounts& counts() const { return counts_; }

 private:
  /// Which values may lose their registers.
  enum class Victims : std::uint8_t { all, rematerialisable };
  struct Home;
  class Homes;

  /// Values of the class, by ValueNumbering.
  std::vector<std::uint32_t> choose(RegisterClass register_class, std::uint32_t target,
                                    Victims victims) const;
  void rewrite(RegisterClass register_class, const std::vector<std::uint32_t>& spilled);
  void rewrite(BasicBlock& block, const Homes& homes);
  Homes homes_of(RegisterClass register_class, const std::vector<std::uint32_t>& spilled);
  Home home_in_frame(std::uint32_t width);
  Home home_in_register();
  std::uint32_t new_short_lived(RegisterClass register_class, std::uint32_t width);

  Function& function_;
  SpillCounts counts_;
  /// By register: made by spilling, too short-lived to gain from it.
  EnumArray<RegisterClass, std::vector<bool>, kRegisterClasses> short_lived_;
};

}  // namespace heddle::code
