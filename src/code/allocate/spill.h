#pragma once

// What to do when registers run short: values go to the thread's stack, or are made anew.

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

  /// Spills registers (or predicates) until about `target` of them live at once. False where there
  /// is nothing that spilling would help.
  bool reduce_pressure(bool predicates, std::uint32_t target);
  /// Makes registers anew beside their readers where more than `target` live at once: immediates,
  /// launch constants, special registers and constants in memory. Nothing goes to the stack.
  void make_anew(std::uint32_t target);
  const SpillCounts& counts() const { return counts_; }

 private:
  struct Plan;
  std::vector<std::uint32_t> choose(bool predicates, std::uint32_t target,
                                    bool only_made_anew) const;
  void rewrite_registers(const std::vector<std::uint32_t>& spilled);
  void rewrite_predicates(const std::vector<std::uint32_t>& spilled);
  std::uint32_t new_slot(std::uint32_t width);
  std::uint32_t new_register(std::uint32_t width);

  Function& function_;
  SpillCounts counts_;
  /// By register and by predicate: made by spilling, too short-lived to gain from it.
  std::vector<bool> short_lived_registers_, short_lived_predicates_;
};

}  // namespace heddle::code
