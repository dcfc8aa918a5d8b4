#pragma once

#include <cstdint>

namespace heddle {

/// The exclusive or of all pieces of `bits` bits that the value is made of, from its lowest bit on:
/// a hash in which every bit of the value counts. Values that differ in one such piece alone have
/// different hashes. 0 where there are no bits.
constexpr std::uint64_t folded(std::uint64_t value, std::uint32_t bits) {
  if (bits == 0) return 0;
  // Each step adds the pieces that lie as far above as those which the lowest piece stands for.
  for (std::uint32_t shift = bits; shift < 64; shift *= 2) value ^= value >> shift;
  return bits < 64 ? value & ((std::uint64_t{1} << bits) - 1) : value;
}

}  // namespace heddle
