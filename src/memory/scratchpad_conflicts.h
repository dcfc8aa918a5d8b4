#pragma once

#include <cstdint>

#include "base/lane_mask.h"
#include "memory/lane_addresses.h"
#include "memory/scratchpad_parameters.h"

namespace heddle::memory {

/// Counts the passes that an access to the scratchpad (shared memory) needs because of bank
/// conflicts. In one pass, each bank accesses one word.
///
/// The unified storage of Gebhart's dissertation (section 7.3.2) has 32 banks of 16 bytes in 8
/// clusters. In the simpler of its two designs, one bank of each cluster can be accessed per pass.
/// The machine descriptions model that as 8 banks of 16 bytes, because any two accesses to one
/// cluster conflict.
class ScratchpadConflicts {
 public:
  /// How lanes that access the same word are handled.
  enum class SameWord : std::uint8_t {
    shared,      ///< One pass serves them all: loads, and stores (one lane's value remains).
    serialised,  ///< Each lane needs a pass of its own: atomics.
  };

  /// Throws InputError if a parameter is out of its range.
  explicit ScratchpadConflicts(const ScratchpadParameters& parameters);

  /// Returns the number of passes for an access of `bytes_per_lane` bytes (1, 2, 4, 8 or 16) per
  /// lane, at multiples of that size; 0 if no lane is active.
  ///
  /// Lanes are served in groups of as many lanes, active or not, as fit into pass_bytes. The groups
  /// are served one after another and share no passes. A group needs as many passes as its busiest
  /// bank has words to access.
  std::uint32_t passes(const LaneAddresses& addresses, LaneMask active,
                       std::uint32_t bytes_per_lane, SameWord same_word = SameWord::shared) const;

 private:
  struct Group;  // Lanes that are served together.

  static std::uint32_t passes_of(const Group& group, SameWord same_word);

  std::uint32_t row_bytes_;  ///< The bytes of one word from each bank.
  int bank_shift_;
  std::uint32_t pass_bytes_;
};

}  // namespace heddle::memory
