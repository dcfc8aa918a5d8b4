#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <map>

#include "base/half_model.h"
#include "exec/memory/memory_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::Reduction;
using code::Space;

// Registers: the address, the returned old value, the operand, and the new value of a
// compare-and-swap.
constexpr std::uint32_t kAddress = 0;
constexpr std::uint32_t kOld = 8;
constexpr std::uint32_t kOperand = 24;
constexpr std::uint32_t kNew = 40;

code::Instruction make_atomic(Space space, ValueType type, Reduction reduction, int count = 1,
                              bool with_result = true) {
  code::Instruction instruction;
  instruction.operation = code::Operation::atomic;
  instruction.space = space;
  instruction.type = type;
  instruction.reduction = reduction;
  instruction.vector_count = static_cast<std::uint8_t>(count);
  const int width = size_of(type) == 8 ? 2 : 1;
  instruction.sources.push_back(Operand::reg(kAddress, 2));
  for (int k = 0; k < count; ++k) {
    const auto offset = static_cast<std::uint32_t>(k * width);
    if (with_result) instruction.destinations.push_back(Operand::reg(kOld + offset, width));
    instruction.sources.push_back(Operand::reg(kOperand + offset, width));
  }
  if (reduction == Reduction::compare_and_swap) {
    instruction.sources.push_back(Operand::reg(kNew, width));
  }
  return instruction;
}

__extension__ using Wide = __int128;

/// A model of integer atomics. It computes in 128 bits, so that intermediate results do not wrap.
std::uint64_t integer_model(Reduction reduction, ValueType type, std::uint64_t old_bits,
                            std::uint64_t operand_bits, std::uint64_t new_bits) {
  const int bits = size_of(type) * 8;
  const auto number = [&](std::uint64_t value) {
    auto n = static_cast<Wide>(value);
    if (is_signed_integer(type) && (value >> (bits - 1) & 1) != 0)
      n -= static_cast<Wide>(1) << bits;
    return n;
  };
  const Wide a = number(old_bits);
  const Wide b = number(operand_bits);
  Wide result = 0;
  switch (reduction) {
    case Reduction::add:
      result = a + b;
      break;
    case Reduction::min:
      result = b < a ? b : a;
      break;
    case Reduction::max:
      result = b > a ? b : a;
      break;
    case Reduction::increment:
      result = a + 1 > b ? 0 : a + 1;
      break;
    case Reduction::decrement:
      result = (a - 1 < 0 || a > b) ? b : a - 1;
      break;
    case Reduction::exchange:
      result = b;
      break;
    case Reduction::compare_and_swap:
      result = a == b ? number(new_bits) : a;
      break;
    case Reduction::and_:
    case Reduction::or_:
    case Reduction::xor_:
      for (int i = 0; i < bits; ++i) {
        const bool x = (old_bits >> i & 1) != 0;
        const bool y = (operand_bits >> i & 1) != 0;
        const bool bit = reduction == Reduction::and_  ? x && y
                         : reduction == Reduction::or_ ? x || y
                                                       : x != y;
        if (bit) result |= static_cast<Wide>(1) << i;
      }
      break;
  }
  const auto low = static_cast<std::uint64_t>(result);
  return bits == 64 ? low : low & ((std::uint64_t{1} << bits) - 1);
}

class AtomicsTest : public MemoryTest {
 protected:
  AtomicsTest() { buffer_ = allocate_random(1024, {.name = "buf"}); }

  /// A random value of `bits` bits; often a corner case.
  std::uint64_t random_value(int bits) {
    const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    switch (random() % 6) {
      case 0:
        return 0;
      case 1:
        return all;
      case 2:
        return std::uint64_t{1} << (bits - 1);
      case 3:
        return (std::uint64_t{1} << (bits - 1)) - 1;
      case 4:
        return random() % 5;
      default:
        return (std::uint64_t{random()} << 32 | random()) & all;
    }
  }
  std::uint64_t base_of(Space space) const {
    if (space == Space::shared) return 0;
    return buffer_;
  }
  std::byte* host_of(Space space, std::uint64_t address) {
    return space == Space::shared ? &shared_byte(address) : memory.host(address);
  }
  std::uint64_t read(std::byte* at, int bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, static_cast<std::size_t>(bytes));
    return value;
  }
  void write(std::byte* at, std::uint64_t value, int bytes) {
    std::memcpy(at, &value, static_cast<std::size_t>(bytes));
  }

  /// Adds a float to memory atomically, and returns the new value in memory.
  float add_once(Space space, std::uint64_t address, float before, float operand) {
    harness.reset();
    harness.context.active = 1;
    std::byte* const place = space == Space::shared   ? &shared_byte(address)
                             : address >= kGlobalBase ? memory.host(address)
                                                      : &shared_byte(address - kSharedWindow);
    std::memcpy(place, &before, 4);
    harness.set<std::uint64_t>(kAddress, 0, address);
    harness.set<float>(kOperand, 0, operand);
    EXPECT_TRUE(harness.execute(make_atomic(space, ValueType::f32, Reduction::add),
                                vector_units().front()));
    EXPECT_EQ(harness.word(kOld, 0), std::bit_cast<std::uint32_t>(before));
    float after = 0;
    std::memcpy(&after, place, 4);
    return after;
  }

  std::uint64_t buffer_ = 0;
};

TEST_F(AtomicsTest, IntegerAtomicsExecuteInLaneOrder) {
  const std::vector<ValueType> types = {ValueType::u32, ValueType::s32, ValueType::b32,
                                        ValueType::u64, ValueType::s64, ValueType::b64};
  const std::vector<Reduction> reductions = {Reduction::and_,      Reduction::or_,
                                             Reduction::xor_,      Reduction::add,
                                             Reduction::min,       Reduction::max,
                                             Reduction::increment, Reduction::decrement,
                                             Reduction::exchange,  Reduction::compare_and_swap};
  for (const VectorUnit& unit : vector_units()) {
    for (const Space space : {Space::global, Space::shared, Space::generic}) {
      for (const ValueType type : types) {
        for (const Reduction reduction : reductions) {
          const bool is_counter =
              reduction == Reduction::increment || reduction == Reduction::decrement;
          if (is_counter && is_signed_integer(type)) continue;
          for (const std::uint32_t mask : interesting_masks()) {
            const int bytes = size_of(type);
            const bool with_result = random() % 4 != 0;
            harness.reset();
            harness.context.active = mask;
            std::array<std::uint64_t, 32> address{}, operand{}, second{};
            const std::uint64_t places = 1 + random() % 6;  // Few places, so that lanes collide.
            for (std::uint64_t p = 0; p < places; ++p) {
              write(host_of(space, base_of(space) + p * 8), random_value(bytes * 8), bytes);
            }
            for (int lane = 0; lane < 32; ++lane) {
              const auto l = static_cast<std::size_t>(lane);
              address[l] = base_of(space) + random() % places * 8;
              operand[l] = random() % 2 == 0 ? random_value(bytes * 8)
                                             : read(host_of(space, address[l]), bytes);
              second[l] = random_value(bytes * 8);
              harness.set<std::uint64_t>(kAddress, lane, address[l]);
              if (bytes == 8) {
                harness.set<std::uint64_t>(kOperand, lane, operand[l]);
                harness.set<std::uint64_t>(kNew, lane, second[l]);
              } else {
                harness.set<std::uint32_t>(kOperand, lane, static_cast<std::uint32_t>(operand[l]));
                harness.set<std::uint32_t>(kNew, lane, static_cast<std::uint32_t>(second[l]));
              }
            }
            std::array<std::uint64_t, 6> model{};
            for (std::uint64_t p = 0; p < places; ++p) {
              model[p] = read(host_of(space, base_of(space) + p * 8), bytes);
            }
            ASSERT_TRUE(harness.execute(make_atomic(space, type, reduction, 1, with_result), unit));
            for (int lane = 0; lane < 32; ++lane) {
              const auto l = static_cast<std::size_t>(lane);
              const std::uint64_t p = (address[l] - base_of(space)) / 8;
              const bool is_active = (mask >> lane & 1) != 0;
              const bool is_written = is_active && with_result;
              ASSERT_EQ(harness.word(kOld, lane),
                        is_written ? static_cast<std::uint32_t>(model[p]) : kUntouched);
              if (bytes == 8) {
                ASSERT_EQ(harness.word(kOld + 1, lane),
                          is_written ? static_cast<std::uint32_t>(model[p] >> 32) : kUntouched);
              }
              if (is_active) {
                model[p] = integer_model(reduction, type, model[p], operand[l], second[l]);
              }
            }
            for (std::uint64_t p = 0; p < places; ++p) {
              ASSERT_EQ(read(host_of(space, base_of(space) + p * 8), bytes), model[p])
                  << name_of(type) << " reduction " << static_cast<int>(reduction);
            }
          }
        }
      }
    }
  }
}

TEST_F(AtomicsTest, LanesMayAccessDifferentMemories) {
  const std::uint64_t other = allocate_random(256, {.name = "other"});
  const std::array<std::uint64_t, 3> places = {buffer_ + 8, other + 252, kSharedWindow + 16};
  const auto host_at = [&](std::uint64_t address) {
    return address < kGlobalBase ? &shared_byte(address - kSharedWindow) : memory.host(address);
  };
  for (int round = 0; round < 50; ++round) {
    harness.reset();
    harness.context.active = round % 2 == 0 ? ~0U : static_cast<std::uint32_t>(random());
    std::map<std::uint64_t, std::uint32_t> expected;
    for (const std::uint64_t place : places) {
      expected[place] = static_cast<std::uint32_t>(read(host_at(place), 4));
    }
    for (int lane = 0; lane < 32; ++lane) {
      const std::uint64_t place = places[random() % places.size()];
      harness.set<std::uint64_t>(kAddress, lane, place);
      harness.set<std::uint32_t>(kOperand, lane, 100);
      if ((harness.context.active >> lane & 1) != 0) expected[place] += 100;
    }
    ASSERT_TRUE(harness.execute(make_atomic(Space::generic, ValueType::u32, Reduction::add),
                                vector_units().front()));
    for (const auto& [place, value] : expected) EXPECT_EQ(read(host_at(place), 4), value);
  }
}

TEST_F(AtomicsTest, CompareAndSwapOf16BitsPreservesNeighbours) {
  for (const VectorUnit& unit : vector_units()) {
    harness.reset();
    harness.context.active = 0b111;
    const std::uint32_t word = 0xaaaa1234;
    memory.write(buffer_, std::as_bytes(std::span(&word, 1)));
    for (int lane = 0; lane < 3; ++lane) {
      harness.set<std::uint64_t>(kAddress, lane, buffer_);
      harness.set<std::uint16_t>(kOperand, lane, lane == 0 ? 0x9999 : 0x1234);
      harness.set<std::uint16_t>(kNew, lane, static_cast<std::uint16_t>(0x5670 + lane));
    }
    ASSERT_TRUE(harness.execute(
        make_atomic(Space::global, ValueType::b16, Reduction::compare_and_swap), unit));
    EXPECT_EQ(read(memory.host(buffer_), 4), 0xaaaa5671U);
    EXPECT_EQ(harness.get<std::uint16_t>(kOld, 0), 0x1234);
    EXPECT_EQ(harness.get<std::uint16_t>(kOld, 1), 0x1234);
    EXPECT_EQ(harness.get<std::uint16_t>(kOld, 2), 0x5671);
  }
}

TEST_F(AtomicsTest, FloatAddFlushesSubnormalsInGlobalMemoryOnly) {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float least = std::numeric_limits<float>::min();
  EXPECT_EQ(add_once(Space::global, buffer_, 1.5F, 2.25F), 3.75F);
  EXPECT_EQ(add_once(Space::shared, 0, 1.5F, 2.25F), 3.75F);
  // A subnormal input, and a subnormal result.
  EXPECT_EQ(add_once(Space::global, buffer_, tiny, tiny), 0.0F);
  EXPECT_EQ(add_once(Space::shared, 0, tiny, tiny), 2 * tiny);
  EXPECT_EQ(add_once(Space::global, buffer_, least * 1.5F, -least), 0.0F);
  EXPECT_FALSE(std::signbit(add_once(Space::global, buffer_, least * 1.5F, -least)));
  EXPECT_TRUE(std::signbit(add_once(Space::global, buffer_, -least * 1.5F, least)));
  EXPECT_EQ(add_once(Space::shared, 0, least * 1.5F, -least), least * 0.5F);
  EXPECT_TRUE(std::signbit(add_once(Space::global, buffer_, -tiny, -0.0F)));
  // A generic address behaves like the space that it leads to.
  EXPECT_EQ(add_once(Space::generic, buffer_, tiny, tiny), 0.0F);
  EXPECT_EQ(add_once(Space::generic, kSharedWindow, tiny, tiny), 2 * tiny);
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(std::bit_cast<std::uint32_t>(add_once(Space::global, buffer_, infinity, -infinity)),
            0x7fffffffU);
}

TEST_F(AtomicsTest, DoubleAddKeepsSubnormals) {
  const double tiny = std::numeric_limits<double>::denorm_min();
  for (const VectorUnit& unit : vector_units()) {
    harness.reset();
    std::memcpy(memory.host(buffer_), &tiny, 8);
    double sum = tiny;
    for (int lane = 0; lane < 32; ++lane) {
      harness.set<std::uint64_t>(kAddress, lane, buffer_);
      const double operand = lane == 0 ? tiny : 0.1 * lane;
      harness.set<double>(kOperand, lane, operand);
      sum += operand;
    }
    ASSERT_TRUE(harness.execute(make_atomic(Space::global, ValueType::f64, Reduction::add), unit));
    EXPECT_EQ(harness.get<double>(kOld, 1), 2 * tiny);
    EXPECT_EQ(std::bit_cast<double>(read(memory.host(buffer_), 8)), sum);
  }
}

/// A bfloat's value, computed from its definition.
double bfloat_value(std::uint16_t bits) {
  const int exponent = bits >> 7 & 0xff;
  const int fraction = bits & 0x7f;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == 255) {
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  }
  return sign *
         (exponent == 0 ? std::ldexp(fraction, -133) : std::ldexp(fraction + 128, exponent - 134));
}

/// The bfloat nearest to `value`, with ties to even: the truncated value or its upper neighbour.
std::uint16_t nearest_bfloat(double value) {
  if (std::isnan(value)) return 0x7fff;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  std::uint16_t low = 0;
  for (int bit = 14; bit >= 0; --bit) {
    const auto next = static_cast<std::uint16_t>(low | 1 << bit);
    if (next <= 0x7f7f && bfloat_value(next) <= magnitude) low = next;
  }
  // The upper neighbour of the largest finite value counts as 2^128.
  const double above =
      low == 0x7f7f ? std::ldexp(1, 128) : bfloat_value(static_cast<std::uint16_t>(low + 1));
  const double below_gap = magnitude - bfloat_value(low);
  const double above_gap = above - magnitude;
  const bool up = above_gap < below_gap || (above_gap == below_gap && (low & 1) != 0);
  return static_cast<std::uint16_t>(sign | (low + (up ? 1 : 0)));
}

TEST_F(AtomicsTest, HalfAndBfloatAddMinAndMaxMatchValues) {
  const VectorUnit& unit = vector_units().front();
  for (const bool bfloat : {false, true}) {
    const auto value_of = [&](std::uint16_t bits) {
      return bfloat ? bfloat_value(bits) : half_value(bits);
    };
    const auto is_nan = [&](std::uint16_t bits) { return std::isnan(value_of(bits)); };
    for (const bool packed : {false, true}) {
      const ValueType type = bfloat ? (packed ? ValueType::bf16x2 : ValueType::bf16)
                                    : (packed ? ValueType::f16x2 : ValueType::f16);
      for (const Reduction reduction : {Reduction::add, Reduction::min, Reduction::max}) {
        for (const int count : {1, 2, 4, 8}) {
          for (int round = 0; round < 60; ++round) {
            harness.reset();
            harness.context.active = 0xffffffff;
            const auto halves = static_cast<std::size_t>(count * (packed ? 2 : 1));
            const std::uint64_t stride = halves * 2;
            std::vector<std::uint16_t> before(halves * 32);
            std::vector<std::uint16_t> operand(halves * 32);
            for (auto& bits : before) bits = static_cast<std::uint16_t>(random());
            for (std::size_t i = 0; i < operand.size(); ++i) {
              // Operands often have similar magnitudes, so that sums are rounded or cancel.
              operand[i] = static_cast<std::uint16_t>(
                  random() % 2 == 0 ? random() : before[i] ^ (random() & 0x83ff));
            }
            memory.write(buffer_, std::as_bytes(std::span(before))
                                      .first(std::min<std::size_t>(before.size() * 2, 1024)));
            const std::size_t lanes = std::min<std::size_t>(32, 1024 / stride);
            harness.context.active = lanes == 32 ? ~0U : (1U << lanes) - 1;
            for (std::size_t lane = 0; lane < lanes; ++lane) {
              const int l = static_cast<int>(lane);
              harness.set<std::uint64_t>(kAddress, l, buffer_ + lane * stride);
              for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
                const auto reg = kOperand + static_cast<std::uint32_t>(k);
                if (packed) {
                  harness.set<std::uint32_t>(
                      reg, l,
                      operand[lane * halves + 2 * k] |
                          std::uint32_t{operand[lane * halves + 2 * k + 1]} << 16);
                } else {
                  harness.set<std::uint16_t>(reg, l, operand[lane * halves + k]);
                }
              }
            }
            ASSERT_TRUE(harness.execute(make_atomic(Space::global, type, reduction, count), unit));
            for (std::size_t i = 0; i < lanes * halves; ++i) {
              const std::uint16_t a = before[i];
              const std::uint16_t b = operand[i];
              std::uint16_t expected = 0;
              if (reduction == Reduction::add) {
                const double sum = value_of(a) + value_of(b);
                expected = std::isnan(sum) ? 0x7fff
                           : bfloat        ? nearest_bfloat(sum)
                                           : nearest_half(sum);
              } else if (is_nan(a) || is_nan(b)) {
                expected = is_nan(a) && is_nan(b) ? 0x7fff : is_nan(a) ? b : a;
              } else {
                // -0 is less than +0.
                const double x = value_of(a);
                const double y = value_of(b);
                const bool a_less = x != y ? x < y : std::signbit(x) && !std::signbit(y);
                expected = (reduction == Reduction::min) == a_less ? a : b;
              }
              std::uint16_t after = 0;
              std::memcpy(&after, memory.host(buffer_ + i * 2), 2);
              ASSERT_EQ(after, expected) << std::hex << a << " and " << b << " bfloat " << bfloat
                                         << " reduction " << static_cast<int>(reduction);
            }
          }
        }
      }
    }
  }
}

TEST_F(AtomicsTest, MinAndMaxOrderNegativeZeroBelowPositiveZero) {
  for (const ValueType type : {ValueType::f16, ValueType::bf16}) {
    for (const bool negative_first : {false, true}) {
      for (const Reduction reduction : {Reduction::min, Reduction::max}) {
        harness.reset();
        harness.context.active = 1;
        const std::uint16_t before = negative_first ? 0x8000 : 0;
        memory.write(buffer_, std::as_bytes(std::span(&before, 1)));
        harness.set<std::uint64_t>(kAddress, 0, buffer_);
        harness.set<std::uint16_t>(kOperand, 0, negative_first ? 0 : 0x8000);
        ASSERT_TRUE(
            harness.execute(make_atomic(Space::global, type, reduction), vector_units().front()));
        EXPECT_EQ(read(memory.host(buffer_), 2), reduction == Reduction::min ? 0x8000U : 0U);
      }
    }
  }
}

TEST_F(AtomicsTest, FloatVectorAddWorksElementByElement) {
  for (const VectorUnit& unit : vector_units()) {
    for (const int count : {2, 4}) {
      harness.reset();
      std::vector<float> before(static_cast<std::size_t>(count) * 32);
      for (float& value : before) value = static_cast<float>(random() % 1000) / 8;
      memory.write(buffer_, std::as_bytes(std::span(before)));
      for (int lane = 0; lane < 32; ++lane) {
        harness.set<std::uint64_t>(kAddress, lane,
                                   buffer_ + static_cast<unsigned>(lane * count) * 4);
        for (int k = 0; k < count; ++k) {
          harness.set<float>(kOperand + static_cast<std::uint32_t>(k), lane,
                             static_cast<float>(k) + 0.5F);
        }
      }
      ASSERT_TRUE(
          harness.execute(make_atomic(Space::global, ValueType::f32, Reduction::add, count), unit));
      std::vector<float> after(before.size());
      memory.read(buffer_, std::as_writable_bytes(std::span(after)));
      for (std::size_t i = 0; i < before.size(); ++i) {
        const auto k = i % static_cast<std::size_t>(count);
        EXPECT_EQ(after[i], before[i] + (static_cast<float>(k) + 0.5F));
        EXPECT_EQ(harness.get<float>(kOld + static_cast<std::uint32_t>(k),
                                     static_cast<int>(i / static_cast<std::size_t>(count))),
                  before[i]);
      }
    }
  }
}

TEST_F(AtomicsTest, FaultLeavesMemoryUnchanged) {
  const VectorUnit& unit = vector_units().front();
  const auto fault_kind = [&](std::uint64_t last, Space space = Space::generic) {
    std::vector<std::byte> before(1024);
    memory.read(buffer_, before);
    for (int lane = 0; lane < 32; ++lane) {
      harness.set<std::uint64_t>(kAddress, lane, lane == 31 ? last : buffer_);
      harness.set<std::uint32_t>(kOperand, lane, 1);
    }
    const std::optional<LaneFault> fault =
        fault_of(make_atomic(space, ValueType::u32, Reduction::add), unit);
    if (!fault) return std::optional<FaultKind>();
    EXPECT_EQ(fault->lane, 31);
    EXPECT_THAT(fault->detail, ::testing::HasSubstr("atomic operation on 4 bytes"));
    std::vector<std::byte> after(1024);
    memory.read(buffer_, after);
    EXPECT_EQ(before, after);
    return std::optional(fault->kind);
  };
  memory.allocate(0);  // Keeps the next allocation from beginning at the buffer's end.
  const std::uint64_t constant = memory.allocate(16, {.kind = AllocationKind::constant});
  EXPECT_EQ(fault_kind(buffer_ + 1024), FaultKind::out_of_bounds);
  EXPECT_EQ(fault_kind(buffer_ + 2), FaultKind::misaligned);
  EXPECT_EQ(fault_kind(constant), FaultKind::read_only);
  EXPECT_EQ(fault_kind(kLocalWindow), FaultKind::illegal_instruction);
  EXPECT_EQ(fault_kind(kSharedWindow + kSharedBytes), FaultKind::out_of_bounds);
  EXPECT_EQ(fault_kind(0), FaultKind::out_of_bounds);
  EXPECT_EQ(fault_kind(buffer_ + 1020), std::nullopt);
}

TEST_F(AtomicsTest, RejectsFormsThatDoNotExist) {
  const VectorUnit& unit = vector_units().front();
  const auto exists = [&](ValueType type, Reduction reduction, int count = 1) {
    return unit.select_handler(make_atomic(Space::global, type, reduction, count)) != nullptr;
  };
  EXPECT_FALSE(exists(ValueType::f32, Reduction::min));
  EXPECT_FALSE(exists(ValueType::f64, Reduction::max));
  EXPECT_FALSE(exists(ValueType::b16, Reduction::add));
  EXPECT_FALSE(exists(ValueType::f16, Reduction::increment));
  EXPECT_FALSE(exists(ValueType::u32, Reduction::compare_and_swap, 2));
  EXPECT_FALSE(exists(ValueType::b128, Reduction::exchange));
  EXPECT_TRUE(exists(ValueType::b64, Reduction::compare_and_swap));
}

}  // namespace
}  // namespace heddle::exec::test
