#pragma once

#include <cstdint>

namespace heddle::memory {

struct PartitionDescription;

struct AddressMapParameters {
  std::uint32_t channels = 1;            ///< Any number: 6 and 16 in the papers.
  std::uint32_t interleave_bytes = 256;  ///< So many bytes, then the next channel's.
  std::uint32_t banks = 8;               ///< Of a channel.
  std::uint32_t row_bytes = 4096;        ///< Of a bank.
  /// Exclusive or of the bank with the row, folded: strides of a whole number of rows of all banks
  /// then go round the banks, and rows that differ in any one bit are in different ones.
  bool hash_banks = false;
};

/// Where a byte of memory is.
struct DramLocation {
  std::uint32_t channel = 0;
  std::uint32_t bank = 0;
  std::uint64_t row = 0;
  std::uint32_t column = 0;  ///< The byte in the row.
};

/// Spreads physical addresses over channels, and those of a channel over its rows: from the highest
/// bits, row, bank, column, so that successive rows are in different banks.
class AddressMap {
 public:
  /// All but the channels must be powers of two; InputError otherwise.
  explicit AddressMap(const AddressMapParameters& parameters);

  const AddressMapParameters& parameters() const { return parameters_; }
  std::uint32_t channel_of(std::uint64_t address) const;
  DramLocation locate(std::uint64_t address) const;
  /// The inverse of locate().
  std::uint64_t address_of(const DramLocation& location) const;

 private:
  std::uint32_t bank_hash(std::uint64_t row) const;

  AddressMapParameters parameters_;
  std::uint32_t interleave_bits_ = 0;
  std::uint32_t column_bits_ = 0;
  std::uint32_t bank_bits_ = 0;
};

/// Which partition an address belongs to, for what sends requests. Throws InputError.
AddressMap address_map(const PartitionDescription& description);

}  // namespace heddle::memory
