#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "exec/lanes/model_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::Operation;

constexpr std::uint32_t kNan = 0x7fff'ffff;
constexpr std::uint32_t kInfinity = 0x7f80'0000;
constexpr std::uint32_t kMinus = 0x8000'0000;
constexpr std::uint32_t kOne = 0x3f80'0000;
constexpr std::uint32_t kSubnormal = 0x0000'1234;

float as_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double as_double(std::uint64_t bits) { return std::bit_cast<double>(bits); }
std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }

Instruction approximate(Operation operation, bool flush = false, std::size_t sources = 1,
                        ValueType type = ValueType::f32) {
  Instruction instruction = make_instruction(operation, type, sources);
  instruction.approximate = true;
  instruction.flush_subnormals = flush;
  return instruction;
}

/// Computes results, and expects the same from all vector units.
std::vector<std::uint64_t> common_results(const Instruction& instruction,
                                          const std::vector<Operands>& sets) {
  const auto first = results_of(instruction, sets, vector_units().front());
  for (const VectorUnit& unit : vector_units()) {
    EXPECT_EQ(results_of(instruction, sets, unit), first) << unit.name;
  }
  return first;
}

/// Expects the given result (second) for each operand (first).
void expect_special(const Instruction& instruction,
                    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& table) {
  std::vector<Operands> sets;
  for (const auto& [operand, result] : table) sets.push_back({operand, 0, 0});
  const auto results = common_results(instruction, sets);
  ASSERT_EQ(results.size(), table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_EQ(results[i], table[i].second) << code::name_of(instruction.operation) << std::hex
                                           << " of 0x" << table[i].first << ": 0x" << results[i];
  }
}

/// Floats whose bits are evenly spread between those of two positive floats (inclusive). If
/// `both_signs`, also contains the negative of each.
std::vector<Operands> spread(float from, float to, int count, bool both_signs) {
  std::vector<Operands> sets;
  const std::uint64_t first = bits_of(from);
  const std::uint64_t range = bits_of(to) - first;
  for (int i = 0; i <= count; ++i) {
    const std::uint64_t bits =
        first + range * static_cast<std::uint64_t>(i) / static_cast<std::uint64_t>(count);
    sets.push_back({bits, 0, 0});
    if (both_signs) sets.push_back({bits | kMinus, 0, 0});
  }
  return sets;
}

/// The value of the last digit (ulp) of a float near `exact`.
long double ulp_of(long double exact) {
  const int exponent = std::ilogb(exact);
  return std::ldexp(1.0L, (exponent < -126 ? -126 : exponent) - 23);
}

/// Expects results that differ from `exact(x)` by at most `ulps` units of its last digit.
template <class Exact>
void expect_error_within(const Instruction& instruction, const std::vector<Operands>& sets,
                         long double ulps, Exact exact) {
  const auto results = common_results(instruction, sets);
  ASSERT_EQ(results.size(), sets.size());
  long double worst = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const long double truth = exact(static_cast<long double>(as_float(sets[i][0])));
    const long double got = as_float(results[i]);
    const long double error = std::fabs(got - truth) / ulp_of(truth);
    ASSERT_LE(error, ulps) << code::name_of(instruction.operation) << " of " << as_float(sets[i][0])
                           << ": " << as_float(results[i]) << ", not "
                           << static_cast<double>(truth);
    worst = std::max(worst, error);
  }
  // Guards against a check that cannot fail: even nearest floats have errors of almost half a unit.
  EXPECT_GT(worst, 0.4L);
}

/// The maximum error in units of the last digit. 0.5 would be exactly rounded.
constexpr long double kNearest = 0.502L;

TEST(ApproximateLanes, ReciprocalsAndRootsAreNearestFloats) {
  const auto all = spread(0x1p-126F, 0x1p125F, 40000, true);
  const auto positive = spread(0x1p-149F, 0x1.fffffep127F, 40000, false);
  expect_error_within(approximate(Operation::rcp), all, kNearest, [](auto x) { return 1 / x; });
  expect_error_within(approximate(Operation::rcp, true), all, kNearest,
                      [](auto x) { return 1 / x; });
  expect_error_within(approximate(Operation::sqrt), positive, kNearest,
                      [](auto x) { return std::sqrt(x); });
  expect_error_within(approximate(Operation::rsqrt), positive, kNearest,
                      [](auto x) { return 1 / std::sqrt(x); });
}

TEST(ApproximateLanes, PowersAndLogarithmsAreNearestFloats) {
  expect_error_within(approximate(Operation::ex2), spread(0x1p-30F, 127.99F, 40000, true), kNearest,
                      [](auto x) { return std::exp2(x); });
  const std::vector<Operands> to_subnormals = {{bits_of(-126.5F), 0, 0},
                                               {bits_of(-140.25F), 0, 0},
                                               {bits_of(-148.3F), 0, 0},
                                               {bits_of(-130.7F), 0, 0}};
  expect_error_within(approximate(Operation::ex2), to_subnormals, kNearest,
                      [](auto x) { return std::exp2(x); });
  expect_error_within(approximate(Operation::lg2), spread(0x1p-149F, 0x1.fffffep127F, 40000, false),
                      kNearest, [](auto x) { return std::log2(x); });
  expect_error_within(approximate(Operation::lg2), spread(0.99F, 1.01F, 40000, false), 0.6L,
                      [](auto x) { return x == 1 ? 0x1p-149L : std::log2(x); });
}

TEST(ApproximateLanes, SinesOfModerateAnglesAreNearestFloats) {
  for (const bool flush : {false, true}) {
    const auto angles = spread(0x1p-20F, 0x1p16F, 60000, true);
    expect_error_within(approximate(Operation::sin, flush), angles, kNearest,
                        [](auto x) { return std::sin(x); });
    expect_error_within(approximate(Operation::cos, flush), angles, kNearest,
                        [](auto x) { return std::cos(x); });
  }
}

TEST(ApproximateLanes, SinesOfLargeAnglesStayAccurateUpTo2To29) {
  const auto angles = spread(0x1p16F, 0x1.fffffep28F, 40000, true);
  for (const Operation operation : {Operation::sin, Operation::cos}) {
    const auto results = common_results(approximate(operation), angles);
    for (std::size_t i = 0; i < angles.size(); ++i) {
      const long double x = as_float(angles[i][0]);
      const long double truth = operation == Operation::sin ? std::sin(x) : std::cos(x);
      ASSERT_NEAR(static_cast<double>(as_float(results[i])), static_cast<double>(truth), 0x1p-24);
    }
  }
}

TEST(ApproximateLanes, HyperbolicTangentIsNearestFloat) {
  expect_error_within(approximate(Operation::tanh), spread(0x1p-60F, 20.0F, 60000, true), 0.51L,
                      [](auto x) { return std::tanh(x); });
}

TEST(ApproximateLanes, SpecialValuesMatchPtx) {
  expect_special(approximate(Operation::rcp), {{kInfinity | kMinus, kMinus},
                                               {kMinus, kInfinity | kMinus},
                                               {0, kInfinity},
                                               {kInfinity, 0},
                                               {0xffc0'0001, kNan}});
  expect_special(approximate(Operation::rcp, true), {{kSubnormal, kInfinity},
                                                     {kSubnormal | kMinus, kInfinity | kMinus},
                                                     {0x7f00'0001, 0},
                                                     {0xff00'0001, kMinus}});
  expect_special(approximate(Operation::sqrt), {{kInfinity | kMinus, kNan},
                                                {kOne | kMinus, kNan},
                                                {kMinus, kMinus},
                                                {0, 0},
                                                {kInfinity, kInfinity},
                                                {0x7f80'0001, kNan}});
  expect_special(approximate(Operation::sqrt, true),
                 {{kSubnormal, 0}, {kSubnormal | kMinus, kMinus}});
  expect_special(approximate(Operation::rsqrt), {{kInfinity | kMinus, kNan},
                                                 {kOne | kMinus, kNan},
                                                 {kMinus, kInfinity | kMinus},
                                                 {0, kInfinity},
                                                 {kInfinity, 0},
                                                 {0x7fc0'0000, kNan}});
  expect_special(approximate(Operation::rsqrt, true),
                 {{kSubnormal, kInfinity}, {kSubnormal | kMinus, kInfinity | kMinus}});
  for (const bool flush : {false, true}) {
    expect_special(approximate(Operation::sin, flush), {{kInfinity, kNan},
                                                        {kInfinity | kMinus, kNan},
                                                        {kMinus, kMinus},
                                                        {0, 0},
                                                        {0xffff'ffff, kNan}});
    expect_special(approximate(Operation::cos, flush), {{kInfinity, kNan},
                                                        {kInfinity | kMinus, kNan},
                                                        {kMinus, kOne},
                                                        {0, kOne},
                                                        {kSubnormal, kOne},
                                                        {0xffff'ffff, kNan}});
  }
  expect_special(approximate(Operation::sin), {{kSubnormal, kSubnormal}});
  expect_special(approximate(Operation::sin, true), {{kSubnormal | kMinus, kMinus}});
  expect_special(approximate(Operation::lg2), {{kInfinity | kMinus, kNan},
                                               {kOne | kMinus, kNan},
                                               {kSubnormal | kMinus, kNan},
                                               {kMinus, kInfinity | kMinus},
                                               {0, kInfinity | kMinus},
                                               {1, bits_of(-149.0F)},
                                               {kOne, 0},
                                               {kInfinity, kInfinity},
                                               {0x7fc0'0000, kNan}});
  expect_special(approximate(Operation::lg2, true),
                 {{kSubnormal, kInfinity | kMinus}, {kSubnormal | kMinus, kInfinity | kMinus}});
  expect_special(approximate(Operation::ex2), {{kInfinity | kMinus, 0},
                                               {kSubnormal | kMinus, kOne},
                                               {kMinus, kOne},
                                               {0, kOne},
                                               {kInfinity, kInfinity},
                                               {bits_of(128.0F), kInfinity},
                                               {bits_of(3e38F), kInfinity},
                                               {bits_of(-3e38F), 0},
                                               {bits_of(-149.0F), 1},
                                               {bits_of(-140.0F), 1 << 9},
                                               {0x7fc0'0000, kNan}});
  expect_special(approximate(Operation::ex2, true),
                 {{bits_of(-126.0F), 0x0080'0000}, {bits_of(-127.0F), 0}});
  expect_special(approximate(Operation::tanh), {{kInfinity | kMinus, kOne | kMinus},
                                                {kMinus, kMinus},
                                                {0, 0},
                                                {kSubnormal, kSubnormal},
                                                {kInfinity, kOne},
                                                {0x7fc0'0000, kNan}});
}

TEST(ApproximateLanes, ApproximateDivisionFlushesBeyond2To126) {
  const std::uint64_t large = bits_of(0x1.8p126F);
  const std::vector<std::array<std::uint64_t, 3>> table = {
      {kOne, large, 0},
      {kOne | kMinus, large, kMinus},
      {bits_of(3e38F), large | kMinus, kMinus},
      {kInfinity, large, kNan},
      {kInfinity, kInfinity, kNan},
      {0, 0, kNan},
      {kOne, 0, kInfinity},
      {kOne, kMinus, kInfinity | kMinus},
      {kOne, kInfinity, 0},
      {bits_of(6.0F), bits_of(2.0F), bits_of(3.0F)},
      {bits_of(0x1p126F), bits_of(0x1p126F), kOne},
      {0x7fc0'0000, kOne, kNan}};
  for (const bool flush : {false, true}) {
    std::vector<Operands> sets;
    for (const auto& row : table) sets.push_back({row[0], row[1], 0});
    const auto results = common_results(approximate(Operation::div, flush, 2), sets);
    for (std::size_t i = 0; i < table.size(); ++i) EXPECT_EQ(results[i], table[i][2]) << i;
  }
}

TEST(ApproximateLanes, QuotientsAreWithinErrorBounds) {
  std::vector<Operands> sets;
  RandomValues random(31);
  while (sets.size() < 20000) {
    const std::uint64_t a = random.value(kF32);
    const std::uint64_t b = random.value(kF32);
    const float quotient = as_float(a) / as_float(b);
    if (!std::isnormal(as_float(a)) || !std::isnormal(as_float(b)) || !std::isnormal(quotient)) {
      continue;
    }
    if (std::fabs(as_float(b)) > 0x1p126F) continue;
    sets.push_back({a, b, 0});
  }
  for (const bool flush : {false, true}) {
    Instruction full = make_instruction(Operation::div, ValueType::f32, 2);
    full.full_range = true;
    full.flush_subnormals = flush;
    for (const Instruction& instruction : {approximate(Operation::div, flush, 2), full}) {
      const auto results = common_results(instruction, sets);
      for (std::size_t i = 0; i < sets.size(); ++i) {
        const long double truth = static_cast<long double>(as_float(sets[i][0])) /
                                  static_cast<long double>(as_float(sets[i][1]));
        ASSERT_LE(std::fabs(as_float(results[i]) - truth), kNearest * ulp_of(truth));
      }
    }
  }
}

TEST(ApproximateLanes, FullRangeDivisionScales) {
  Instruction full = make_instruction(Operation::div, ValueType::f32, 2);
  full.full_range = true;
  const auto results = common_results(full, {{bits_of(0x1.8p127F), bits_of(0x1p127F), 0},
                                             {bits_of(0x1p-140F), bits_of(0x1p-149F), 0},
                                             {kInfinity, kInfinity, 0}});
  EXPECT_EQ(results[0], bits_of(1.5F));
  EXPECT_EQ(results[1], bits_of(512.0F));
  EXPECT_EQ(results[2], kNan);
}

TEST(ApproximateLanes, CoarseDoublesUseHighWordOnly) {
  RandomValues random(33);
  std::vector<Operands> sets;
  while (sets.size() < 5000) {
    const std::uint64_t bits = random.value(kF64) & ~kF64.sign();
    if (std::isnormal(as_double(bits)) && as_double(bits) < 0x1p1000) sets.push_back({bits, 0, 0});
  }
  for (const Operation operation : {Operation::rcp, Operation::rsqrt}) {
    const auto results = common_results(approximate(operation, true, 1, ValueType::f64), sets);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const double x = as_double(sets[i][0]);
      const double truth = operation == Operation::rcp ? 1 / x : 1 / std::sqrt(x);
      EXPECT_EQ(results[i] & 0xffff'ffff, 0U);
      ASSERT_LE(std::fabs(as_double(results[i]) / truth - 1), 0x1p-19);
    }
  }
  const std::uint64_t infinity = kF64.infinity;
  const std::uint64_t minus = kF64.sign();
  expect_special(approximate(Operation::rcp, true, 1, ValueType::f64),
                 {{0, infinity},
                  {minus, infinity | minus},
                  {0x0000'0001'0000'0000, infinity},
                  {infinity, 0},
                  {infinity | minus, minus},
                  {0x7ff8'0012'0000'0000, 0x7fff'ffff'0000'0000},
                  {0x7ff0'0000'0000'0001, 0x7fff'ffff'0000'0000}});
  expect_special(approximate(Operation::rsqrt, true, 1, ValueType::f64),
                 {{0, infinity},
                  {minus, infinity | minus},
                  {infinity, 0},
                  {std::bit_cast<std::uint64_t>(-1.0), 0x7fff'ffff'0000'0000}});
}

TEST(ApproximateLanes, DoubleReciprocalRootIsNearlyExact) {
  const Instruction instruction = approximate(Operation::rsqrt, false, 1, ValueType::f64);
  RandomValues random(34);
  std::vector<Operands> sets;
  while (sets.size() < 5000) {
    const std::uint64_t bits = random.value(kF64) & ~kF64.sign();
    if (std::isfinite(as_double(bits)) && bits != 0) sets.push_back({bits, 0, 0});
  }
  const auto results = common_results(instruction, sets);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const long double truth = 1 / std::sqrt(static_cast<long double>(as_double(sets[i][0])));
    ASSERT_LE(std::fabs(as_double(results[i]) / truth - 1), 0x1p-52L);
  }
  expect_special(instruction, {{0, kF64.infinity},
                               {kF64.sign(), kF64.infinity | kF64.sign()},
                               {kF64.infinity, 0},
                               {1 | kF64.sign(), 0xfff8'0000'0000'0000},
                               {0x7ff0'0000'0000'0077, 0x7ff8'0000'0000'0077}});
}

}  // namespace
}  // namespace heddle::exec::test
