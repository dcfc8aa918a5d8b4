#pragma once

#include <cstdint>

#include "base/inline_vector.h"
#include "base/lane_mask.h"
#include "memory/lane_addresses.h"

namespace heddle::memory {

/// A set of banks: bit i is the bank with the number i in each cluster.
using BankSet = std::uint64_t;

/// Divides accesses to a scratchpad in clusters of banks into passes (Gebhart's dissertation,
/// section 7.3.2). Row r of the scratchpad, `row_bytes` bytes, has as many bytes in each cluster,
/// in the bank with the number r modulo `banks`.
class ClusteredPasses {
 public:
  struct Shape {
    std::uint32_t row_bytes = 128;
    std::uint32_t clusters = 8;  ///< At most 32; each has 4, 8 or 16 bytes of a row.
    std::uint32_t banks = 4;     ///< Of a cluster.
    /// The number of lanes that share passes follows from it, as for ScratchpadParameters.
    std::uint32_t pass_bytes = 128;
    /// In a pass, a cluster delivers bytes of one row or, if it gathers, of one row of each of its
    /// banks, in sum as many as one bank has.
    bool gathers = false;
  };
  enum class SameWord : std::uint8_t {
    shared,      ///< One pass serves all lanes that access the same word: loads and stores.
    serialised,  ///< Lanes that access the same bank need a pass each: atomics.
  };
  /// By pass: the banks that it accesses.
  using Passes = InlineVector<BankSet, kWarpSize>;

  explicit ClusteredPasses(const Shape& shape) : shape_(shape) {}

  /// The passes of an access of `bytes_per_lane` bytes (1, 2, 4, 8 or 16) per lane, at multiples of
  /// that size. A pass serves each lane that can share it with those before it.
  Passes passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes_per_lane,
                SameWord same_word) const;

 private:
  /// Lanes that may share passes.
  struct Group {
    const LaneAddresses& addresses;
    LaneMask lanes;
    std::uint32_t bytes_per_lane;
  };

  void append_passes(const Group& group, SameWord same_word, Passes& found) const;
  void append_gathering_passes(const Group& group, SameWord same_word, Passes& found) const;
  std::uint32_t bank_bytes() const { return shape_.row_bytes / shape_.clusters; }
  BankSet bank_of(std::uint64_t address) const {
    return BankSet{1} << (address / shape_.row_bytes % shape_.banks);
  }

  Shape shape_;
};

}  // namespace heddle::memory
