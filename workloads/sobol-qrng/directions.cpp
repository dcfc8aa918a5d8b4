#include "directions.h"

#include <bit>

#include "kernel.h"

namespace heddle::workload {
namespace {

using sobol_qrng::kBits;

/// Bit i is the coefficient of x^i.
using Polynomial = std::uint32_t;

int degree_of(Polynomial polynomial) { return std::bit_width(polynomial) - 1; }

/// Whether the powers of x modulo the polynomial are all nonzero elements.
bool is_primitive(Polynomial polynomial) {
  if ((polynomial & 1) == 0) return false;
  const std::uint32_t powers = (std::uint32_t{1} << degree_of(polynomial)) - 1;
  std::uint32_t order = 0;
  Polynomial power = 1;
  do {
    power <<= 1;
    if (degree_of(power) == degree_of(polynomial)) power ^= polynomial;
    ++order;
  } while (power != 1);
  return order == powers;
}

/// Sobol's recurrence: a number is computed from the `degree` numbers before it, each of which has
/// one more bit.
void append_directions(Polynomial polynomial, Random& random,
                       std::vector<std::uint32_t>& directions) {
  const int degree = degree_of(polynomial);
  std::vector<std::uint32_t> numbers;
  for (int k = 0; k < kBits; ++k) {
    std::uint32_t number = 0;
    if (k < degree) {
      number = 2 * random.below(std::uint32_t{1} << k) + 1;  // Odd, with at most k + 1 bits.
    } else {
      const auto earlier = [&](int back) { return numbers[static_cast<std::size_t>(k - back)]; };
      number = earlier(degree);
      for (int back = 1; back <= degree; ++back) {
        if ((polynomial >> (degree - back) & 1) != 0) number ^= earlier(back) << back;
      }
    }
    numbers.push_back(number);
    directions.push_back(number << (kBits - 1 - k));
  }
}

}  // namespace

std::vector<std::uint32_t> sobol_directions(std::size_t dimensions, Random& random) {
  std::vector<std::uint32_t> directions;
  for (int bit = kBits - 1; bit >= 0; --bit) directions.push_back(std::uint32_t{1} << bit);
  for (Polynomial polynomial = 3; directions.size() < dimensions * kBits; polynomial += 2) {
    if (is_primitive(polynomial)) append_directions(polynomial, random, directions);
  }
  return directions;
}

}  // namespace heddle::workload
