// Floating point in device code: all widths, roundings, conversions and mathematical functions.

#include <array>
#include <cfenv>
#include <limits>
#include <numbers>

#include "device/corpus/language_runner.h"

namespace heddle::corpus {
namespace {

constexpr int kModes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

/// Evaluates `function` in a rounding mode of the host. The operands of `function` must be
/// volatile.
template <class F>
auto evaluate(int mode, F function) {
  const int before = std::fegetround();
  std::fesetround(mode);
  volatile auto result = function();
  std::fesetround(before);
  const auto value = result;
  return value;
}

/// Random bit patterns of floats, with zeros, infinities, subnormals and near-integers.
Words float_bits(std::uint64_t seed, int count) {
  constexpr std::uint32_t kEdges[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000,
                                      0xff800000, 0x00000001, 0x807fffff, 0x7f7fffff, 0x4f000000,
                                      0xcf000000, 0x4f800000, 0x5f000000, 0x3f000000, 0x40200000};
  Random random(seed);
  Words words(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    if (i % 4 == 0)
      words[i] = kEdges[random.below(15)];
    else if (i % 4 == 1)
      words[i] = bits_of(random.single(-3000, 3000));
    else
      words[i] = random.word();
  }
  return words;
}

/// The bits of a float. All NaNs have the same bits.
std::uint32_t single_bits(float value) { return std::isnan(value) ? 0x7fc00000u : bits_of(value); }

TEST(CorpusLanguage, ArithmeticUsesTheRequestedRounding) {
  const Words in = float_bits(60, 2 * kThreads);
  check_program<std::uint32_t>("rounding", in, [&](int i) -> Words {
    volatile float x = std::bit_cast<float>(in[i]), y = std::bit_cast<float>(in[kThreads + i]);
    Words results;
    auto each = [&](auto function) {
      for (int mode : kModes) results.push_back(single_bits(evaluate(mode, function)));
    };
    each([&]() -> float { return x + y; });
    each([&]() -> float { return x * y; });
    each([&]() -> float { return x / y; });
    each([&]() -> float { return std::sqrt(x); });
    each([&]() -> float { return std::fma(x, y, x); });
    volatile float one = 1;
    each([&]() -> float { return one / x; });
    volatile double a = double(x) * 1.1, b = double(y) * 0.9, unit = 1;
    auto wide = [&](int mode, auto function) {
      double value = evaluate(mode, function);
      if (std::isnan(value)) value = std::numeric_limits<double>::quiet_NaN();
      results.push_back(low_word(std::bit_cast<std::uint64_t>(value)));
      results.push_back(high_word(std::bit_cast<std::uint64_t>(value)) &
                        (std::isnan(value) ? 0x7fffffffu : 0xffffffffu));
    };
    wide(FE_TOWARDZERO, [&]() -> double { return a + b; });
    wide(FE_UPWARD, [&]() -> double { return a * b; });
    wide(FE_DOWNWARD, [&]() -> double { return a / b; });
    wide(FE_UPWARD, [&]() -> double { return std::sqrt(std::fabs(a)); });
    wide(FE_TOWARDZERO, [&]() -> double { return std::fma(a, b, a); });
    wide(FE_TONEAREST, [&]() -> double { return unit / b; });
    wide(FE_TONEAREST, [&]() -> double { return a / b; });
    wide(FE_TONEAREST, [&]() -> double { return std::sqrt(std::fabs(b)); });
    return results;
  });
}

/// Converts a number to an integer of `bits` bits. Rounds it according to `mode`, and saturates it.
/// Returns `nan` for NaN.
std::uint64_t to_integer(double value, int mode, int bits, bool is_signed, std::uint64_t nan) {
  if (std::isnan(value)) return nan;
  volatile double v = value;
  const double whole = evaluate(mode, [&]() -> double { return std::nearbyint(v); });
  const double top = std::ldexp(1.0, is_signed ? bits - 1 : bits), bottom = is_signed ? -top : 0.0;
  const std::uint64_t mask = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  if (whole >= top) return is_signed ? mask >> 1 : mask;
  if (whole <= bottom) return is_signed ? std::uint64_t{1} << (bits - 1) : 0;
  return (whole < 0 ? 0 - static_cast<std::uint64_t>(-whole) : static_cast<std::uint64_t>(whole)) &
         mask;
}

TEST(CorpusLanguage, ConversionsRoundAndSaturate) {
  Words in = float_bits(61, 2 * kThreads);
  for (int i = 0; i < kThreads; i += 5) {  // Doubles in the range of integers.
    const double value =
        Random(static_cast<std::uint64_t>(i)).real(-1, 1) * std::ldexp(1.0, i % 70);
    in[i] = high_word(std::bit_cast<std::uint64_t>(value));
    in[kThreads + i] = low_word(std::bit_cast<std::uint64_t>(value));
  }
  check_program<std::uint32_t>("conversions", in, [&](int i) -> Words {
    const std::uint64_t bits = std::uint64_t{in[i]} << 32 | in[kThreads + i];
    const double f = std::bit_cast<float>(in[i]);
    volatile double d = std::bit_cast<double>(bits);
    Words results;
    auto put = [&](std::uint64_t value) { results.push_back(low_word(value)); };
    auto put_wide = [&](std::uint64_t value) {
      put(value);
      put(value >> 32);
    };
    constexpr std::uint64_t kNan32 = std::uint64_t{1} << 31, kNan64 = std::uint64_t{1} << 63;
    for (const int mode : {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD})
      put(to_integer(f, mode, 32, true, 0));
    put(to_integer(f, FE_TONEAREST, 32, false, 0));
    put(to_integer(f, FE_TOWARDZERO, 32, false, 0));
    put_wide(to_integer(f, FE_TONEAREST, 64, true, kNan64));
    put_wide(to_integer(f, FE_TOWARDZERO, 64, false, kNan64));
    put(to_integer(d, FE_TONEAREST, 32, true, kNan32));
    put(to_integer(d, FE_TOWARDZERO, 32, false, kNan32));
    put_wide(to_integer(d, FE_DOWNWARD, 64, true, kNan64));
    put_wide(to_integer(d, FE_UPWARD, 64, false, kNan64));
    for (const int mode : kModes)
      put(single_bits(evaluate(mode, [&]() -> float { return static_cast<float>(d); })));
    volatile auto narrow = static_cast<std::int32_t>(in[i]);
    volatile std::uint32_t word = in[i];
    volatile auto wide = static_cast<std::int64_t>(bits);
    volatile std::uint64_t unsigned_wide = bits;
    put(bits_of(evaluate(FE_TONEAREST, [&]() -> float { return static_cast<float>(narrow); })));
    put(bits_of(evaluate(FE_TOWARDZERO, [&]() -> float { return static_cast<float>(word); })));
    put(bits_of(evaluate(FE_UPWARD, [&]() -> float { return static_cast<float>(wide); })));
    // The host's conversion of unsigned integers to float rounds twice. A long double holds the
    // integer exactly.
    volatile long double exact = static_cast<long double>(unsigned_wide);
    put(bits_of(evaluate(FE_DOWNWARD, [&]() -> float { return static_cast<float>(exact); })));
    put_wide(std::bit_cast<std::uint64_t>(
        evaluate(FE_TONEAREST, [&]() -> double { return static_cast<double>(wide); })));
    put_wide(std::bit_cast<std::uint64_t>(
        evaluate(FE_TOWARDZERO, [&]() -> double { return static_cast<double>(exact); })));
    put_wide(std::bit_cast<std::uint64_t>(static_cast<double>(narrow)));
    return results;
  });
}

/// A binary floating-point format with few bits.
struct SmallFormat {
  int exponent_bits;
  int fraction_bits;
  bool has_infinity;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  std::uint32_t sign() const { return 1u << (exponent_bits + fraction_bits); }
  std::uint32_t infinity() const { return ((1u << exponent_bits) - 1) << fraction_bits; }
  std::uint32_t greatest() const {
    return has_infinity ? infinity() - 1 : infinity() + (1u << fraction_bits) - 2;
  }
  std::uint32_t nan() const { return infinity() + (1u << fraction_bits) - 1; }
  bool is_nan(std::uint32_t bits) const {
    bits &= sign() - 1;
    return has_infinity ? bits > infinity() : bits == nan();
  }

  long double value(std::uint32_t bits) const {
    const auto magnitude = bits & (sign() - 1);
    const int exponent = static_cast<int>(magnitude >> fraction_bits);
    const auto fraction = static_cast<int>(magnitude & ((1u << fraction_bits) - 1));
    long double size;
    if (is_nan(bits))
      size = std::numeric_limits<long double>::quiet_NaN();
    else if (has_infinity && magnitude == infinity())
      size = std::numeric_limits<long double>::infinity();
    else if (exponent == 0)
      size = std::ldexp(static_cast<long double>(fraction), 1 - bias() - fraction_bits);
    else
      size = std::ldexp(static_cast<long double>((1 << fraction_bits) + fraction),
                        exponent - bias() - fraction_bits);
    return bits & sign() ? -size : size;
  }

  /// Rounds to the nearest number with ties to even or, unless `nearest`, towards zero. If
  /// `finite`, overflow yields the greatest number instead of infinity.
  std::uint32_t round(long double value, bool nearest = true, bool finite = false) const {
    if (std::isnan(value)) return nan();
    const std::uint32_t minus = std::signbit(value) ? sign() : 0;
    const long double size = std::fabs(value);
    // The greatest number that is not above; bit patterns increase with the numbers.
    std::uint32_t low = 0, high = greatest();
    while (low < high) {
      const std::uint32_t middle = (low + high + 1) / 2;
      if (this->value(middle) <= size)
        low = middle;
      else
        high = middle - 1;
    }
    if (std::isinf(size)) return minus | (finite || !has_infinity ? greatest() : infinity());
    if (!nearest) return minus | low;
    long double next =
        low == greatest() ? 2 * this->value(low) - this->value(low - 1) : this->value(low + 1);
    const long double down = size - this->value(low), up = next - size;
    if (up < down || (up == down && low % 2)) ++low;
    if (low > greatest() && finite) low = greatest();
    return minus | low;
  }
};

constexpr SmallFormat kHalf = {5, 10, true};
constexpr SmallFormat kBfloat = {8, 7, true};
constexpr SmallFormat kE4m3 = {4, 3, false};
constexpr SmallFormat kE5m2 = {5, 2, true};

/// Whether both are NaN or have the same bits.
bool are_same(const SmallFormat& format, std::uint32_t actual, std::uint32_t expected) {
  return format.is_nan(expected) ? format.is_nan(actual) : actual == expected;
}

/// Compares the low and the high 16 bits of a word.
void expect_pair(const SmallFormat& format, std::uint32_t actual, std::uint32_t low,
                 std::uint32_t high, const char* what, int thread) {
  EXPECT_TRUE(are_same(format, actual & 0xffff, low) && are_same(format, actual >> 16, high))
      << what << " of thread " << thread << " is " << std::hex << actual << ", not " << high << " "
      << low;
}

TEST(CorpusLanguage, HalvesAreRoundedFromExactResults) {
  Words in = float_bits(62, kThreads);
  for (int i = 1; i < kThreads; i += 2)  // Pairs of similar magnitude, so that both affect the sum.
    in[i] = (in[i] & 0x8fff8fffu) | 0x30003000u;
  for_each_variant("half_arithmetic", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(10 * kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    const auto actual = out.download();
    for (int i = 0; i < kThreads && !testing::Test::HasFailure(); ++i) {
      auto result = [&](int k) { return actual[k * kThreads + i]; };
      const std::uint32_t a_bits = in[i] & 0xffff, b_bits = in[i] >> 16;
      const long double a = kHalf.value(a_bits), b = kHalf.value(b_bits), c = 1.5L;
      const float single = std::bit_cast<float>(in[i]);
      expect_pair(kHalf, result(0), kHalf.round(a + b), kHalf.round(a - b), "sum, difference", i);
      expect_pair(kHalf, result(1), kHalf.round(a * b), kHalf.round(a * b + a), "product", i);
      expect_pair(kHalf, result(2), kHalf.round(a + b), kHalf.round(b + c), "pair of sums", i);
      expect_pair(kHalf, result(3), kHalf.round(a * b + b), kHalf.round(b * c + c), "fused pair",
                  i);
      EXPECT_EQ(result(4), std::uint32_t{a < b} | std::uint32_t{a >= b} << 1 |
                               std::uint32_t{a == b} << 2 | std::uint32_t{!(a == b)} << 3 |
                               std::uint32_t{std::isnan(a)} << 4)
          << i;
      if (!std::isnan(a)) {
        EXPECT_EQ(result(5), bits_of(static_cast<float>(a))) << i;
      }
      expect_pair(kHalf, result(6), kHalf.round(single), kHalf.round(single, false), "from float",
                  i);
      EXPECT_EQ(result(7), low_word(to_integer(double(a), FE_TONEAREST, 32, true, 0)) ^
                               low_word(to_integer(double(b), FE_TOWARDZERO, 32, false, 0)) << 4)
          << i;
      expect_pair(kHalf, result(8), kHalf.round(static_cast<int>(in[i] % 200000) - 100000),
                  b_bits & 0x7fff, "from integer", i);
      const long double clamped = std::isnan(a * b) ? 0.0L : std::clamp(a * b, 0.0L, 1.0L);
      expect_pair(kHalf, result(9), a_bits ^ 0x8000, kHalf.round(clamped) & 0x7fff, "negation", i);
    }
  });
}

TEST(CorpusLanguage, BfloatsAreRoundedFromExactResults) {
  Words in = float_bits(63, kThreads);
  for (int i = 0; i < kThreads; ++i)  // Exponents -15 to 16: exact results fit the host's type.
    if (i % 8) in[i] = (in[i] & 0x87ff87ffu) | (i % 2 ? 0x38003800u : 0x40003800u);
  for_each_variant("bfloat_arithmetic", [&](Program& program, const std::string& variant) {
    const bool fuses = variant.find(".sm") != std::string::npos;
    const auto out = program.zeros<std::uint32_t>(5 * kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    const auto actual = out.download();
    for (int i = 0; i < kThreads && !testing::Test::HasFailure(); ++i) {
      auto result = [&](int k) { return actual[k * kThreads + i]; };
      const long double a = kBfloat.value(in[i] & 0xffff), b = kBfloat.value(in[i] >> 16);
      const float single = std::bit_cast<float>(in[i]);
      expect_pair(kBfloat, result(0), kBfloat.round(a + b), kBfloat.round(a * b), "sum", i);
      expect_pair(kBfloat, result(1), fuses ? kBfloat.round(a * b + a) : 0, kBfloat.round(b - a),
                  "fused", i);
      if (!std::isnan(a)) {
        EXPECT_EQ(result(2), in[i] << 16) << i;
      }
      expect_pair(kBfloat, result(3), kBfloat.round(single), kBfloat.round(single, false),
                  "from float", i);
      EXPECT_EQ(result(4),
                std::uint32_t{a < b} | std::uint32_t{a <= b} << 1 | std::uint32_t{a == b} << 2)
          << i;
    }
  });
}

TEST(CorpusLanguage, EightBitFloatsConvertInPairs) {
  const Words in = Random(64).words(kThreads);
  for_each_variant("small_floats", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(3 * kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    const auto actual = out.download();
    for (int i = 0; i < kThreads && !testing::Test::HasFailure(); ++i) {
      const long double x = (static_cast<int>(in[i] % 2000) - 1000) * 0.5L;
      const long double y = static_cast<int>((in[i] >> 12) % 4096) * 0.0078125L;
      EXPECT_EQ(actual[i], kE4m3.round(x, true, true) | kE4m3.round(y, true, true) << 8 |
                               kE5m2.round(x, true, true) << 16 | kE5m2.round(y, true, true) << 24)
          << i;
      int at = kThreads;
      for (const SmallFormat& format : {kE4m3, kE5m2}) {
        expect_pair(kHalf, actual[at + i], kHalf.round(format.value(in[i] & 0xff)),
                    kHalf.round(format.value(in[i] >> 8 & 0xff)), "to halves", i);
        at += kThreads;
      }
    }
  });
}

/// The sine of a multiple of pi. The multiple is reduced to [-1/2, 1/2] exactly.
double sine_of_pi_times(double x) {
  double rest = std::remainder(x, 2.0);
  if (std::fabs(rest) > 0.5) rest = std::copysign(1.0, rest) - rest;
  return std::sin(std::numbers::pi * rest);
}

/// The results of the functions that the programs of single and double precision have in common.
std::vector<double> functions(double x, double y) {
  return {std::sin(x),
          std::cos(x),
          std::tan(x),
          std::exp(x / 4),
          std::log(std::fabs(x)),
          std::pow(std::fabs(x), y / 4),
          std::sqrt(std::fabs(x)),
          std::cbrt(x),
          std::atan2(x, y),
          std::asin(x / 64),
          std::sinh(x / 8),
          std::tanh(x),
          std::erf(x / 8),
          std::lgamma(std::fabs(x) + 0.5),
          std::fmod(x, y),
          std::hypot(x, y),
          std::floor(x),
          std::rint(x),
          std::trunc(x),
          std::log1p(std::fabs(x)),
          std::expm1(x / 16),
          std::exp2(x / 8),
          std::log10(std::fabs(x)),
          1 / std::sqrt(std::fabs(x)),
          x / y,
          std::fma(x, y, 1.0),
          std::ldexp(x, 5),
          std::round(y),
          std::copysign(x, y),
          std::log2(std::fabs(y)),
          sine_of_pi_times(x / 3),
          std::remainder(x, y)};
}

/// Compares the results of all functions in each thread. loose(variant, k) is a factor for the
/// tolerance of function k.
template <class T>
void check_functions(const std::string& name, double relative, double absolute,
                     const std::function<std::vector<double>(double, double)>& model,
                     const std::function<double(const std::string&, std::size_t)>& loose) {
  Random random(65);
  std::vector<T> in(2 * kThreads);
  for (auto& value : in) value = static_cast<T>(random.real(0.05, 20) * (random.below(2) ? 1 : -1));
  for_each_variant(name, [&](Program& program, const std::string& variant) {
    const std::size_t count = model(1, 1).size();
    const auto out = program.zeros<T>(count * kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    const auto actual = out.download();
    int reported = 0;
    for (int i = 0; i < kThreads && reported < 5; ++i) {
      const auto expected = model(double(in[i]), double(in[kThreads + i]));
      for (std::size_t k = 0; k < count && reported < 5; ++k) {
        const double got = double(actual[k * kThreads + i]);
        const double factor = loose(variant, k);
        if (!(std::fabs(got - expected[k]) <=
              factor * (absolute + relative * std::fabs(expected[k])))) {
          ADD_FAILURE() << "function " << k << " of " << double(in[i]) << " and "
                        << double(in[kThreads + i]) << " is " << got << ", not " << expected[k];
          ++reported;
        }
      }
    }
  });
}

TEST(CorpusLanguage, DoubleFunctionsAreNearlyExact) {
  check_functions<double>("double_math", 1e-14, 1e-15, functions,
                          [](const std::string&, std::size_t) { return 1.0; });
}

TEST(CorpusLanguage, SingleFunctionsAreNearlyExact) {
  check_functions<float>("float_math", 5e-7, 1e-6, functions,
                         [](const std::string& variant, std::size_t k) {
                           // Approximate division affects results that depend on a quotient's last
                           // bit.
                           const bool fast = variant.ends_with(".fast");
                           if (fast && (k == 2 || k == 14 || k == 31)) return 1e9;
                           return fast ? 100.0 : 1.0;
                         });
}

TEST(CorpusLanguage, ApproximateFunctionsAreWithinTolerance) {
  check_functions<float>(
      "fast_math", 2e-5, 2e-6,
      [](double x, double y) -> std::vector<double> {
        return {std::sin(x / 8),
                std::cos(x / 8),
                std::exp(x / 4),
                std::log(std::fabs(x)),
                x / y,
                std::pow(std::fabs(x), y / 16),
                std::pow(10.0, x / 16),
                std::log2(std::fabs(x)),
                std::clamp(x, 0.0, 1.0),
                std::tan(x / 64),
                x / y,
                std::sqrt(std::fabs(y)),
                1 / std::sqrt(std::fabs(y)),
                std::exp(y / 4),
                1 / x};
      },
      [](const std::string&, std::size_t) { return 1.0; });
}

}  // namespace
}  // namespace heddle::corpus
