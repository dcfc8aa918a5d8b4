#pragma once

#include <cstdint>

namespace heddle::memory {

struct PartitionDescription;

struct AddressMapParameters {
  std::uint32_t channels = 1;            ///< Need not be a power of two.
  std::uint32_t interleave_bytes = 256;  ///< Consecutive bytes in one channel.
  std::uint32_t banks = 8;               ///< Banks of a channel.
  std::uint32_t row_bytes = 4096;        ///< Bytes of a row of a bank.
  /// Whether the bank number is XORed with the row number, which is first folded to as many bits.
  /// Accesses with a stride of one row in every bank then use different banks. Rows whose numbers
  /// differ in only one bit are in different banks.
  bool hash_banks = false;
};

/// The location of a byte in DRAM.
struct DramLocation {
  std::uint32_t channel = 0;
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
  std::uint32_t offset_in_row = 0;  ///< In bytes.
};

/// Maps physical addresses to channels, and the addresses of a channel to row, bank and offset in
/// the row (from the highest bits to the lowest). Successive row-sized blocks of a channel are thus
/// in different banks.
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
  std::uint32_t bank_hash(std::uint64_t row) const;

  AddressMapParameters parameters_;
  // The widths of address fields, in bits.
  std::uint32_t interleave_bits_ = 0;
  std::uint32_t row_offset_bits_ = 0;
  std::uint32_t bank_bits_ = 0;
};

/// The map from addresses to partitions, for the senders of requests. Throws InputError.
AddressMap address_map(const PartitionDescription& description);

}  // namespace heddle::memory
