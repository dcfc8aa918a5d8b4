#pragma once

#include <bit>
#include <cstdint>

#include "memory/dram/address_map.h"

namespace heddle::memory {

/// A partition's own addresses: those that belong to it, moved together. Without that, the bits
/// that choose the partition would leave most sets of its slice of the L2 unused.
class LocalAddresses {
 public:
  explicit LocalAddresses(const AddressMapParameters& map)
      : channels_(map.channels),
        interleave_bits_(std::countr_zero(map.interleave_bytes)),
        offset_mask_(map.interleave_bytes - 1) {}

  std::uint64_t of(std::uint64_t address) const {
    return ((address >> interleave_bits_) / channels_ << interleave_bits_) |
           (address & offset_mask_);
  }
  /// What everybody else calls a partition's own address.
  std::uint64_t known(std::uint64_t own, std::uint32_t partition) const {
    return ((own >> interleave_bits_) * channels_ + partition) << interleave_bits_ |
           (own & offset_mask_);
  }

 private:
  std::uint64_t channels_;
  int interleave_bits_;
  std::uint64_t offset_mask_;
};

}  // namespace heddle::memory
