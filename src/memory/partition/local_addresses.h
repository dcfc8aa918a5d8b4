#pragma once

#include <bit>
#include <cstdint>

#include "memory/dram/address_map.h"

namespace heddle::memory {

/// Converts between global addresses and the local addresses of a partition. The local addresses of
/// a partition are contiguous. If an L2 slice used global addresses, most of its sets would stay
/// unused, because the address bits that select the partition are the same for all its lines.
class LocalAddresses {
 public:
  explicit LocalAddresses(const AddressMapParameters& map)
      : channels_(map.channels),
        interleave_bits_(std::countr_zero(map.interleave_bytes)),
        offset_mask_(map.interleave_bytes - 1) {}

  /// The local address of a global address, in the partition to which it belongs.
  std::uint64_t to_local(std::uint64_t address) const {
    return ((address >> interleave_bits_) / channels_ << interleave_bits_) |
           (address & offset_mask_);
  }
  /// The global address of a partition's local address.
  std::uint64_t to_global(std::uint64_t local, std::uint32_t partition) const {
    return ((local >> interleave_bits_) * channels_ + partition) << interleave_bits_ |
           (local & offset_mask_);
  }

 private:
  std::uint64_t channels_;
  int interleave_bits_;
  std::uint64_t offset_mask_;
};

}  // namespace heddle::memory
