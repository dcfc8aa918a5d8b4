#include "operand_values.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

#include "workload/random.h"

namespace heddle::silicon {
namespace {

/// Values of operands, each in the low bits of 64.
using Values = std::vector<std::uint64_t>;

/// A pseudo-random number that depends only on `value`.
std::uint64_t scrambled(std::uint64_t value) { return workload::Random(value).next(); }

/// A binary floating-point format. Its functions return numbers as bits.
struct Format {
  unsigned exponent_bits;
  unsigned mantissa_bits;

  unsigned width() const { return 1 + exponent_bits + mantissa_bits; }
  std::uint64_t one() const {
    return ((std::uint64_t{1} << (exponent_bits - 1)) - 1) << mantissa_bits;
  }
  /// Added to a number, this doubles it: it increments the exponent.
  std::uint64_t exponent_step() const { return std::uint64_t{1} << mantissa_bits; }
  std::uint64_t infinity() const {
    return ((std::uint64_t{1} << exponent_bits) - 1) << mantissa_bits;
  }
  std::uint64_t sign() const { return std::uint64_t{1} << (width() - 1); }
};

Format format_of(std::string_view type) {
  if (type.starts_with("bf16")) return {8, 7};
  if (type.starts_with("f16")) return {5, 10};
  return type == "f64" ? Format{11, 52} : Format{8, 23};
}

/// Edge cases of both signs: zero, subnormals, one and its neighbours, powers of two, halves
/// between integers, the greatest numbers, infinity, NaNs.
Values special_floats(Format format) {
  const std::uint64_t one = format.one();
  const std::uint64_t step = format.exponent_step();
  Values values = {0,
                   1,
                   2,
                   step / 2,
                   step - 1,
                   step,
                   step + 1,
                   2 * step,
                   one,
                   one + 1,
                   one - 1,
                   one - step,
                   one - step + 1,
                   one + step,
                   one + step + step / 2,
                   one + step / 2,
                   one + step / 4,
                   one + 3 * step,
                   one + 7 * step - 1,
                   one + 7 * step + step / 2,
                   format.infinity() - 1,
                   format.infinity() - step,
                   format.infinity(),
                   format.infinity() + step / 2,      // A quiet NaN.
                   format.infinity() + step / 2 + 5,  // A quiet NaN with a payload.
                   format.infinity() + 1};            // A signalling NaN.
  // Powers of two, and their neighbours: the limits of integers of 8 to 64 bits, and the size from
  // which floats have no fraction.
  for (const unsigned power : {8u, 15u, 16u, 31u, 32u, 63u, 64u, format.mantissa_bits - 1,
                               format.mantissa_bits, format.mantissa_bits + 1}) {
    const std::uint64_t value = one + power * step;
    if (value >= format.infinity()) continue;
    values.push_back(value);
    values.push_back(value - 1);
    values.push_back(value + 1);
  }
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(values[i] | format.sign());
  return values;
}

/// A float made from a random number. Half of the floats have random bits. The others are of
/// moderate size, so that sums cancel and products round.
std::uint64_t random_float(Format format, std::uint64_t random) {
  if (random & 1) return random >> (64 - format.width());
  const std::uint64_t mantissa = (random >> 8) & (format.exponent_step() - 1);
  const std::uint64_t exponent = (random >> 2) & 7;
  const std::uint64_t sign = (random & 2) != 0 ? format.sign() : 0;
  return sign | (format.one() + (exponent - 4) * format.exponent_step() + mantissa);
}

Values special_integers(unsigned width) {
  Values values;
  for (unsigned bit = 0; bit < width; ++bit) {
    if (bit > 4 && bit % 8 != 0 && bit % 8 != 7) continue;
    const std::uint64_t power = std::uint64_t{1} << bit;
    values.insert(values.end(), {power, power - 1, power + 1, ~power, ~(power - 1)});
  }
  for (const std::uint64_t value : {5ull, 7ull, 10ull, 100ull, 0x5555555555555555ull,
                                    0xaaaaaaaaaaaaaaaaull, 0x0123456789abcdefull}) {
    values.insert(values.end(), {value, ~value + 1});
  }
  return values;
}

bool is_float(std::string_view type) { return type.starts_with("f") || type.starts_with("bf"); }

/// A texture coordinate as an f32, either as a fraction of the texture's size or in texels. Most
/// are within the texture or near it; some are far outside.
std::uint64_t coordinate(bool fraction, std::uint64_t random) {
  const double unit = static_cast<double>(random >> 40) * 0x1p-24;
  const double scale = (random & 15) == 0 ? 6.0 : 1.25;
  double value = (unit - 0.1) * scale * (fraction ? 1.0 : 40.0);
  // Floats next to the edge of a texel: the forms' textures are 37 texels wide.
  if ((random & 48) == 0 && fraction) {
    const float edge = static_cast<float>(random >> 32 & 63) / 37.0F;
    return std::bit_cast<std::uint32_t>(edge) + (random >> 8 & 15) - 7;
  }
  // Centres and edges of texels, and points between them in steps of 1/512.
  if ((random & 48) == 0 && !fraction) value = static_cast<double>(random >> 32 & 0x7fff) / 512.0;
  return std::bit_cast<std::uint32_t>(static_cast<float>(value));
}

}  // namespace

unsigned width_of(std::string_view type) {
  if (type == "pred") return 1;
  if (type == "shift" || type == "fraction" || type == "texel" || type.ends_with("x2") ||
      type == "tf32") {
    return type.starts_with("e") ? 16 : 32;
  }
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos) {
    throw std::invalid_argument("a form has a type without a width");
  }
  return static_cast<unsigned>(std::stoul(std::string(type.substr(digits))));
}

std::vector<std::uint64_t> operand_values(std::string_view type, std::size_t position,
                                          std::size_t operands, std::size_t count) {
  const bool coordinates = type == "fraction" || type == "texel";
  const bool floats = is_float(type) && !coordinates;
  const Format format = format_of(type);
  const unsigned width = width_of(type);
  const std::uint64_t mask = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const Values specials = floats ? special_floats(format) : special_integers(width);
  const auto random_at = [](std::size_t operand, std::size_t thread) {
    return scrambled((thread * 8 + operand) * 2 + 1);
  };
  // The first half of the threads gets edge cases, the second half random values.
  const auto pick = [&](std::size_t i, std::uint64_t random) {
    if (i < count / 2) return specials[random % specials.size()];
    return floats ? random_float(format, random) : random;
  };
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t random = random_at(position, i);
    if (coordinates) {
      values[i] = coordinate(type == "fraction", random);
    } else if (type == "shift") {
      values[i] = i % 8 == 0 ? random : random % 72;
    } else if (operands == 1 && i < specials.size()) {
      values[i] = specials[i];  // A single operand goes through all edge cases.
    } else if (floats && type.ends_with("x2")) {
      values[i] = (pick(i, random) & 0xffff) | pick(i, scrambled(random)) << 16;
    } else if (floats && i % 16 == 13) {
      // The smallest normal number times about one: tests whether results that round up to this
      // number are flushed to zero.
      values[i] = (position == 0   ? format.exponent_step()
                   : position == 1 ? format.one()
                                   : 0) +
                  (position == 2 ? random & 1 : (random >> 8) % 9 - 4);
      if ((random & 2) != 0) values[i] |= format.sign();
    } else if (floats && position == 1 && i % 16 == 15) {
      // A value near that of %a, so that differences cancel and comparisons are close.
      values[i] = pick(i, random_at(0, i)) ^ (random & 3);
    } else {
      values[i] = pick(i, random);
    }
    values[i] &= mask;
  }
  return values;
}

}  // namespace heddle::silicon
