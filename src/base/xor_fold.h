#pragma once

#include <cstdint>

namespace heddle {

/// XOR folding, a hash of `bits` bits: splits the value into pieces of `bits` bits, from its lowest
/// bit on, and returns their exclusive or. Values that differ in only one piece have different
/// hashes. Returns 0 if `bits` is 0.
constexpr std::uint64_t xor_fold(std::uint64_t value, std::uint32_t bits) {
  if (bits == 0) return 0;
  // Each step doubles the number of pieces that the lowest piece combines.
  for (std::uint32_t shift = bits; shift < 64; shift *= 2) value ^= value >> shift;
  return bits < 64 ? value & ((std::uint64_t{1} << bits) - 1) : value;
}

}  // namespace heddle
