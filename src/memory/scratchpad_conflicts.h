#pragma once

#include <cstdint>

#include "base/lane_mask.h"
#include "memory/lane_addresses.h"
#include "memory/scratchpad_parameters.h"

namespace heddle::memory {

/// Counts the passes that an access needs because of bank conflicts.
///
/// The unified storage of Gebhart's dissertation (section 7.3.2) has 32 banks of 16 bytes in 8
/// clusters. In its simpler design, one bank of each cluster can be accessed per pass. The machine
/// descriptions model that as 8 banks of 16 bytes, because accesses conflict in the cluster.
class ScratchpadConflicts {
 public:
  /// How lanes that access the same word are handled.
  enum class SameWord : std::uint8_t {
    shared,      ///< One pass serves them all: loads, and stores, of which one remains.
    serialised,  ///< Each lane needs a pass of its own: atomics.
  };

  /// Throws InputError.
  explicit ScratchpadConflicts(const ScratchpadParameters& parameters);

  /// The number of passes for an access of `bytes_per_lane` bytes (1, 2, 4, 8 or 16) per lane, at
  /// multiples of that size; 0 without active lanes.
  ///
  /// Lanes are served in groups of as many lanes, active or not, as fit into pass_bytes. The groups
  /// are served one after another and share no passes. A group needs as many passes as its busiest
  /// bank has words to access.
  std::uint32_t passes(const LaneAddresses& addresses, LaneMask active,
                       std::uint32_t bytes_per_lane, SameWord same_word = SameWord::shared) const;

 private:
  struct Group;

  static std::uint32_t passes_of(const Group& group, SameWord same_word);

  std::uint32_t row_bytes_;  ///< The bytes of one word from each bank.
  int bank_shift_;
  std::uint32_t pass_bytes_;
};

}  // namespace heddle::memory
