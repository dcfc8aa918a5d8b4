#include "sm/redundancy/affine.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>

namespace heddle::sm {
namespace {

/// The inverse of an odd number modulo 2^64. Newton's iteration doubles the number of right bits,
/// and an odd number is its own inverse modulo 8.
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t inverse = odd;
  for (int right_bits = 3; right_bits < 64; right_bits *= 2) inverse *= 2 - odd * inverse;
  return inverse;
}

}  // namespace

bool is_affine(LaneMask lanes, std::span<const std::uint64_t> values, int bits) {
  assert(values.size() == static_cast<std::size_t>(lanes.count()) && bits >= 1 && bits <= 64);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - bits);
  // Distances from the first lane, and the rise of the values over these distances.
  std::uint64_t distances[kWarpSize];
  std::uint64_t rises[kWarpSize];
  std::size_t count = 0;
  for (LaneMask rest = lanes.without_lowest(); !rest.empty(); rest = rest.without_lowest()) {
    distances[count] = static_cast<std::uint64_t>(rest.lowest() - lanes.lowest());
    rises[count] = (values[count + 1] - values[0]) & mask;
    ++count;
  }
  if (std::all_of(rises, rises + count, [](std::uint64_t rise) { return rise == 0; })) return false;
  // If a distance is 2^t times an odd number, its rise decides all but the highest t bits of the
  // stride. The distance with the smallest t decides most bits, and the other distances, as
  // multiples of 2^t, are indifferent to the remaining ones.
  const std::uint64_t* const deciding = std::min_element(
      distances, distances + count,
      [](std::uint64_t a, std::uint64_t b) { return std::countr_zero(a) < std::countr_zero(b); });
  const int t = std::countr_zero(*deciding);
  const std::uint64_t rise = rises[deciding - distances];
  const std::uint64_t stride = (rise >> t) * inverse_of(*deciding >> t);
  for (std::size_t i = 0; i < count; ++i) {
    if (((distances[i] * stride) & mask) != rises[i]) return false;
  }
  return true;
}

}  // namespace heddle::sm
