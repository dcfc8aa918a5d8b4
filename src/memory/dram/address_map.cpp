#include "memory/dram/address_map.h"

#include <fmt/format.h>

#include <bit>
#include <string_view>

#include "base/error.h"
#include "base/xor_fold.h"

namespace heddle::memory {
namespace {

/// Returns the binary logarithm of a number. Throws InputError if it is not a whole number.
std::uint32_t bits_of(std::string_view what, std::uint32_t number) {
  if (!std::has_single_bit(number)) {
    throw InputError(fmt::format("{} must be a power of two, not {}", what, number));
  }
  return static_cast<std::uint32_t>(std::countr_zero(number));
}

}  // namespace

AddressMap::AddressMap(const AddressMapParameters& parameters)
    : parameters_(parameters),
      interleave_bits_(bits_of("the interleaving in bytes", parameters.interleave_bytes)),
      row_offset_bits_(bits_of("the bytes of a DRAM row", parameters.row_bytes)),
      bank_bits_(bits_of("the number of banks of a DRAM channel", parameters.banks)) {
  if (parameters.channels == 0) throw InputError("memory needs at least one channel");
}

std::uint32_t AddressMap::bank_hash(std::uint64_t row) const {
  return parameters_.hash_banks ? static_cast<std::uint32_t>(xor_fold(row, bank_bits_)) : 0;
}

std::uint32_t AddressMap::channel_of(std::uint64_t address) const {
  return static_cast<std::uint32_t>((address >> interleave_bits_) % parameters_.channels);
}

DramLocation AddressMap::locate(std::uint64_t address) const {
  const std::uint64_t chunk = address >> interleave_bits_;
  const std::uint64_t offset_in_chunk = address & (parameters_.interleave_bytes - 1);
  const std::uint64_t channel_offset =
      (chunk / parameters_.channels << interleave_bits_) | offset_in_chunk;

  const std::uint64_t row_and_bank = channel_offset >> row_offset_bits_;
  const std::uint64_t row = row_and_bank >> bank_bits_;
  const auto bank = static_cast<std::uint32_t>(row_and_bank) & (parameters_.banks - 1);
  return {
      .channel = static_cast<std::uint32_t>(chunk % parameters_.channels),
      .bank = bank ^ bank_hash(row),
      .row = row,
      .offset_in_row = static_cast<std::uint32_t>(channel_offset) & (parameters_.row_bytes - 1)};
}

std::uint64_t AddressMap::address_of(const DramLocation& location) const {
  const std::uint64_t bank = location.bank ^ bank_hash(location.row);
  const std::uint64_t row_and_bank = (location.row << bank_bits_) | bank;
  const std::uint64_t channel_offset = (row_and_bank << row_offset_bits_) | location.offset_in_row;
  const std::uint64_t chunk =
      (channel_offset >> interleave_bits_) * parameters_.channels + location.channel;
  return (chunk << interleave_bits_) | (channel_offset & (parameters_.interleave_bytes - 1));
}

}  // namespace heddle::memory
