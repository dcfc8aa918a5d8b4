#pragma once

#include <cstdint>

namespace heddle::memory {

struct PartitionDescription;

struct AddressMapParameters {
  std::uint32_t channels = 1;            ///< Need not be a power of two.
  std::uint32_t interleave_bytes = 256;  ///< The size of the blocks dealt to the channels in turn.
  std::uint32_t banks = 8;               ///< The number of banks of a channel.
  std::uint32_t row_bytes = 4096;        ///< The size of a row of a bank.
  /// Whether the bank number is XORed with the row number, which is first folded to as many bits.
  /// Accesses with a stride of `banks * row_bytes` then use different banks instead of a single
  /// one. Two addresses that differ in only one bit of the row are always in different banks.
  bool hash_banks = false;
};

/// The location of a byte in DRAM.
struct DramLocation {
  std::uint32_t channel = 0;
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
  std::uint32_t offset_in_row = 0;  ///< In bytes.
};

/// Maps physical addresses to channels, and the addresses in a channel to rows and banks. In an
/// address of a channel, the high bits are the row, the middle bits are the bank, and the low bits
/// are the offset in the row. Successive row-sized blocks of a channel are thus in different banks.
class AddressMap {
 public:
  /// Throws InputError unless all parameters except `channels` are powers of two.
  explicit AddressMap(const AddressMapParameters& parameters);

  const AddressMapParameters& parameters() const { return parameters_; }
  std::uint32_t channel_of(std::uint64_t address) const;
  DramLocation locate(std::uint64_t address) const;
  /// The inverse of locate().
  std::uint64_t address_of(const DramLocation& location) const;

 private:
  /// The number with which the bank number of an address is XORed.
  std::uint32_t bank_hash(std::uint64_t row) const;

  AddressMapParameters parameters_;
  // The widths of address fields, in bits.
  std::uint32_t interleave_bits_ = 0;
  std::uint32_t row_offset_bits_ = 0;
  std::uint32_t bank_bits_ = 0;
};

/// Returns the map by which the senders of requests find the partition of an address. Throws
/// InputError if a parameter is invalid.
AddressMap address_map(const PartitionDescription& description);

}  // namespace heddle::memory
