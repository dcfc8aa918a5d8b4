#pragma once

#include <cstdint>

#include "base/lane_mask.h"
#include "memory/lane_addresses.h"
#include "memory/scratchpad_parameters.h"

namespace heddle::memory {

/// Counts the passes that accesses need for conflicts between their banks.
///
/// Gebhart's unified storage (his section 7.3.2) has 32 banks of 16 bytes, of which the simpler
/// design lets one in each of 8 clusters answer in a pass: that is 8 banks of 16 bytes here, as
/// what conflicts is the cluster.
class ScratchpadConflicts {
 public:
  /// What several lanes do that access the same word.
  enum class SameWord : std::uint8_t {
    shared,      ///< One pass serves them all: loads, and stores, of which one lane's stays.
    serialised,  ///< Each needs a pass of its own: atomics.
  };

  /// Throws InputError.
  explicit ScratchpadConflicts(const ScratchpadParameters& parameters);

  /// The passes for an access of `bytes_per_lane` bytes (1, 2, 4, 8 or 16) a lane, at addresses
  /// that are multiples of that; none without active lanes.
  ///
  /// As many lanes as pass_bytes has room for, counted with the inactive ones, go together; one
  /// such group after another, and nothing is shared between groups. A group needs the passes of
  /// the bank in which it touches most words.
  std::uint32_t passes(const LaneAddresses& addresses, LaneMask active,
                       std::uint32_t bytes_per_lane, SameWord same_word = SameWord::shared) const;

 private:
  struct Group;

  static std::uint32_t passes_of(const Group& group, SameWord same_word);

  std::uint32_t row_bytes_;  ///< Of a word from each bank.
  int bank_shift_;
  std::uint32_t pass_bytes_;
};

}  // namespace heddle::memory
