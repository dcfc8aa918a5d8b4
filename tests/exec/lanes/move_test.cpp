// Moves, packing and unpacking of registers, selection, predicates and special registers.

#include "exec/lanes/lane_check.h"

namespace heddle::exec::test {
namespace {

using code::Instruction;
using code::Operand;
using code::Operation;
using code::Special;

float as_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}

TEST(Move, CopiesRegistersAndPairs) {
  for (const ValueType type :
       {ValueType::b16, ValueType::u32, ValueType::f32, ValueType::b64, ValueType::f64}) {
    const int bits = bits_of(type);
    check({instruction_of(Operation::move, type), {bits}, bits},
          [](const Sources& x) { return Expected{x[0]}; });
  }
  EXPECT_TRUE(is_refused({instruction_of(Operation::move, ValueType::pred), {32}}));
}

TEST(Move, CopiesFourRegisters) {
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint32_t active : interesting_masks()) {
      LaneHarness harness;
      for (int lane = 0; lane < 32; ++lane) {
        for (std::uint32_t i = 0; i < 4; ++i)
          harness.set(4 + i, lane, 100 * i + static_cast<std::uint32_t>(lane));
      }
      Instruction move = instruction_of(Operation::move, ValueType::b128);
      move.sources = {Operand::reg(4, 4)};
      move.destinations = {Operand::reg(8, 4)};
      harness.context.active = active;
      ASSERT_TRUE(harness.execute(move, unit));
      for (int lane = 0; lane < 32; ++lane) {
        for (std::uint32_t i = 0; i < 4; ++i) {
          const bool is_active = (active >> lane & 1) != 0;
          EXPECT_EQ(harness.word(8 + i, lane), is_active ? harness.word(4 + i, lane) : kUntouched);
        }
        EXPECT_EQ(harness.word(12, lane), kUntouched);
      }
    }
  }
}

TEST(Move, PackPutsFirstSourceLowest) {
  struct Shape {
    ValueType type;
    std::size_t parts;
  };
  for (const Shape shape : {Shape{ValueType::b32, 2},
                            {ValueType::b32, 4},
                            {ValueType::b64, 2},
                            {ValueType::b64, 4},
                            {ValueType::b64, 8}}) {
    const int bits = bits_of(shape.type);
    const int part = bits / static_cast<int>(shape.parts);
    check({instruction_of(Operation::pack, shape.type), std::vector<int>(shape.parts, part), bits},
          [=](const Sources& x) {
            Int value = 0;
            for (std::size_t i = shape.parts; i-- > 0;) value = value * (Int{1} << part) + x[i];
            return Expected{value};
          });
  }
  EXPECT_TRUE(is_refused({instruction_of(Operation::pack, ValueType::b32), {16, 16, 16}}));
}

TEST(Move, UnpackMayOverwriteSourceAndSkipParts) {
  struct Shape {
    ValueType type;
    std::uint32_t parts;
  };
  for (const Shape shape : {Shape{ValueType::b32, 2},
                            {ValueType::b32, 4},
                            {ValueType::b64, 2},
                            {ValueType::b64, 4},
                            {ValueType::b64, 8}}) {
    const int bits = bits_of(shape.type) / static_cast<int>(shape.parts);
    for (const VectorUnit& unit : vector_units()) {
      for (const std::uint32_t active : interesting_masks()) {
        for (std::uint32_t unwanted = 0; unwanted <= shape.parts; ++unwanted) {
          std::mt19937_64 random(unwanted);
          LaneHarness harness;
          std::array<std::uint64_t, 32> values{};
          for (int lane = 0; lane < 32; ++lane) {
            values[static_cast<std::size_t>(lane)] = random();
            harness.set(10, lane, values[static_cast<std::size_t>(lane)]);
          }
          Instruction unpack = instruction_of(Operation::unpack, shape.type);
          unpack.sources = {Operand::reg(10, bits_of(shape.type) / 32)};
          for (std::uint32_t i = 0; i < shape.parts; ++i) {
            // The parts go to registers 11, 10, 12, 13, ...: crosswise into the source.
            const std::uint32_t place = 10 + (i < 2 ? 1 - i : i);
            unpack.destinations.push_back(i == unwanted ? Operand::none() : Operand::reg(place));
          }
          const LaneHarness before = harness;
          harness.context.active = active;
          ASSERT_TRUE(harness.execute(unpack, unit));
          for (int lane = 0; lane < 32; ++lane) {
            for (std::uint32_t i = 0; i < shape.parts; ++i) {
              const std::uint32_t place = 10 + (i < 2 ? 1 - i : i);
              if (i == unwanted || (active >> lane & 1) == 0) {
                ASSERT_EQ(harness.word(place, lane), before.word(place, lane));
              } else {
                const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
                ASSERT_EQ(
                    harness.word(place, lane) & all,
                    values[static_cast<std::size_t>(lane)] >> static_cast<int>(i) * bits & all);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Move, SelectFollowsPredicate) {
  for (const ValueType type :
       {ValueType::b16, ValueType::s32, ValueType::f32, ValueType::b64, ValueType::f64}) {
    const int bits = bits_of(type);
    check({instruction_of(Operation::select, type), {bits, bits, 1}, bits},
          [](const Sources& x) { return Expected{x[2] != 0 ? x[0] : x[1]}; });
  }
}

TEST(Move, SelectSignChoosesFirstForNonNegative) {
  for (const ValueType type : {ValueType::b16, ValueType::u32, ValueType::f32, ValueType::b64}) {
    const int bits = bits_of(type);
    check(
        {instruction_of(Operation::select_sign, type, ValueType::s32), {bits, bits, 32}, bits},
        [](const Sources& x) { return Expected{number(x[2], ValueType::s32) >= 0 ? x[0] : x[1]}; });
    for (const bool flush : {false, true}) {
      Instruction slct = instruction_of(Operation::select_sign, type, ValueType::f32);
      slct.flush_subnormals = flush;
      check({slct, {bits, bits, 32}, bits}, [=](const Sources& x) {
        const bool subnormal = (x[2] & 0x7f800000) == 0;
        const bool nan = (x[2] & 0x7fffffff) > 0x7f800000;
        const bool negative = (x[2] >> 31) != 0 && (x[2] & 0x7fffffff) != 0;
        const bool first = !nan && (!negative || (flush && subnormal));
        return Expected{first ? x[0] : x[1]};
      });
    }
  }
  // Zeros, subnormals, infinities and NaN, in addition to random operands.
  for (const VectorUnit& unit : vector_units()) {
    for (const bool flush : {false, true}) {
      const std::uint32_t signs[] = {0,          0x80000000, 1,          0x80000001, 0x807fffff,
                                     0x80800000, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00000};
      LaneHarness harness;
      Instruction slct = instruction_of(Operation::select_sign, ValueType::b32, ValueType::f32);
      slct.flush_subnormals = flush;
      slct.sources = {Operand::immediate(1), Operand::immediate(2), Operand::reg(0)};
      slct.destinations = {Operand::reg(1)};
      for (int lane = 0; lane < 32; ++lane) harness.set(0, lane, signs[lane % 10]);
      ASSERT_TRUE(harness.execute(slct, unit));
      for (int lane = 0; lane < 10; ++lane) {
        const bool flushed = flush && (lane == 3 || lane == 4);
        EXPECT_EQ(harness.word(1, lane), as_float(signs[lane]) >= 0 || flushed ? 1U : 2U) << lane;
      }
    }
  }
}

TEST(Move, PredicatesCombineLaneByLane) {
  const auto binary = [](Operation operation, const std::function<bool(bool, bool)>& f) {
    check({instruction_of(operation, ValueType::pred), {1, 1}, 0, 1}, [=](const Sources& x) {
      return Expected{0, f(x[0] != 0, x[1] != 0)};
    });
  };
  binary(Operation::predicate_and, [](bool a, bool b) { return a && b; });
  binary(Operation::predicate_or, [](bool a, bool b) { return a || b; });
  binary(Operation::predicate_xor, [](bool a, bool b) { return a != b; });
  const auto unary = [](Operation operation, bool keep) {
    check({instruction_of(operation, ValueType::pred), {1}, 0, 1}, [=](const Sources& x) {
      return Expected{0, (x[0] != 0) == keep};
    });
  };
  unary(Operation::predicate_move, true);
  unary(Operation::predicate_not, false);
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint64_t constant : {0, 1}) {
      LaneHarness harness;
      Instruction move = instruction_of(Operation::predicate_move, ValueType::pred);
      move.sources = {Operand::immediate(constant)};
      move.destinations = {Operand::predicate(2)};
      harness.set_predicate(2, 0x0000ffff);
      harness.context.active = 0x00ffff00;
      ASSERT_TRUE(harness.execute(move, unit));
      EXPECT_EQ(harness.predicate(2), constant == 1 ? 0x00ffffffU : 0x000000ffU);
    }
  }
  EXPECT_TRUE(is_refused({instruction_of(Operation::predicate_and, ValueType::pred), {1, 32}, 0}));
}

TEST(Move, PredicatesAreSavedAndRestored) {
  for (const VectorUnit& unit : vector_units()) {
    for (const std::uint32_t active : interesting_masks()) {
      std::mt19937 random(9);
      LaneHarness harness;
      Instruction save = instruction_of(Operation::predicates_to_register, ValueType::b32);
      Instruction restore = instruction_of(Operation::register_to_predicates, ValueType::b32);
      save.destinations = {Operand::reg(0)};
      restore.sources = {Operand::reg(0)};
      for (std::uint32_t i = 0; i < 7; ++i) {
        harness.set_predicate(i, static_cast<std::uint32_t>(random()));
        save.sources.push_back(Operand::predicate(i));
        restore.destinations.push_back(Operand::predicate(7 + i));
      }
      save.sources[3].negated = true;
      restore.destinations[5] = Operand::none();
      harness.context.active = active;
      ASSERT_TRUE(harness.execute(save, unit));
      for (int lane = 0; lane < 32; ++lane) {
        std::uint32_t expected = 0;
        for (std::uint32_t i = 0; i < 7; ++i) {
          expected |= ((harness.predicate(i) >> lane & 1) ^ (i == 3 ? 1U : 0U)) << i;
        }
        ASSERT_EQ(harness.word(0, lane), (active >> lane & 1) != 0 ? expected : kUntouched);
      }
      ASSERT_TRUE(harness.execute(restore, unit));
      for (std::uint32_t i = 0; i < 7; ++i) {
        const std::uint32_t saved = i == 3 ? ~harness.predicate(i) : harness.predicate(i);
        EXPECT_EQ(harness.predicate(7 + i), i == 5 ? 0 : saved & active);
      }
    }
  }
}

/// The value of a special register in each lane.
std::array<std::uint64_t, 32> read(Special special, ValueType type, const WarpContext& context,
                                   const VectorUnit& unit) {
  LaneHarness harness;
  harness.context.identity = context.identity;
  harness.context.clock = context.clock;
  harness.context.nanoseconds = context.nanoseconds;
  harness.context.frame_base = context.frame_base;
  Instruction instruction = instruction_of(Operation::read_special, type);
  instruction.special = special;
  instruction.destinations = {Operand::reg(4, size_of(type) / 4)};
  harness.context.active = 0xfffffff7;
  EXPECT_TRUE(harness.execute(instruction, unit));
  EXPECT_EQ(harness.word(4, 3), kUntouched);
  EXPECT_TRUE(size_of(type) == 8 || harness.word(5, 0) == kUntouched);
  std::array<std::uint64_t, 32> values{};
  for (int lane = 0; lane < 32; ++lane) {
    values[static_cast<std::size_t>(lane)] =
        size_of(type) == 8 ? harness.get<std::uint64_t>(4, lane) : harness.word(4, lane);
  }
  return values;
}

TEST(Move, ReadsSpecialRegisters) {
  WarpIdentity identity;
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    identity.thread_x[lane] = lane % 8;
    identity.thread_y[lane] = lane / 8;
    identity.thread_z[lane] = 7 + lane;
  }
  identity.block_x = 11;
  identity.block_y = 12;
  identity.block_z = 13;
  identity.warp = 3;
  identity.warps_per_block = 5;
  identity.sm = 21;
  identity.sm_count = 80;
  identity.grid_id = 0x1234567890;
  identity.dynamic_shared_bytes = 4096;
  identity.total_shared_bytes = 5120;
  identity.aggregate_shared_bytes = 6144;
  identity.dynamic_shared_offset = 1024;
  WarpContext context;
  context.identity = &identity;
  context.clock = 0x123456789abcdef0;
  context.nanoseconds = 0xfedcba9876543210;
  context.frame_base = 640;

  using Value = std::function<std::uint64_t(std::uint32_t)>;
  const auto constant = [](std::uint64_t value) -> Value {
    return [=](std::uint32_t) { return value; };
  };
  const auto lanes_where = [](const std::function<bool(std::uint32_t, std::uint32_t)>& f) -> Value {
    return [=](std::uint32_t lane) {
      std::uint64_t mask = 0;
      for (std::uint32_t other = 0; other < 32; ++other)
        mask |= std::uint64_t{f(other, lane)} << other;
      return mask;
    };
  };
  struct Row {
    Special special;
    ValueType type;
    Value value;
  };
  const ValueType u32 = ValueType::u32;
  const ValueType u64 = ValueType::u64;
  const Row table[] = {
      {Special::thread_x, u32, [](std::uint32_t lane) { return lane % 8; }},
      {Special::thread_y, u32, [](std::uint32_t lane) { return lane / 8; }},
      {Special::thread_z, u32, [](std::uint32_t lane) { return lane + 7; }},
      {Special::thread_z, u64, [](std::uint32_t lane) { return lane + 7; }},
      {Special::block_x, u32, constant(11)},
      {Special::block_y, u32, constant(12)},
      {Special::block_z, u32, constant(13)},
      {Special::lane, u32, [](std::uint32_t lane) { return lane; }},
      {Special::warp, u32, constant(3)},
      {Special::warps_per_block, u32, constant(5)},
      {Special::sm, u32, constant(21)},
      {Special::sm_count, u32, constant(80)},
      {Special::grid_id, u64, constant(0x1234567890)},
      {Special::grid_id, u32, constant(0x34567890)},
      {Special::mask_equal, u32, lanes_where([](auto other, auto lane) { return other == lane; })},
      {Special::mask_less_equal, u32,
       lanes_where([](auto other, auto lane) { return other <= lane; })},
      {Special::mask_less, u32, lanes_where([](auto other, auto lane) { return other < lane; })},
      {Special::mask_greater_equal, u32,
       lanes_where([](auto other, auto lane) { return other >= lane; })},
      {Special::mask_greater, u32, lanes_where([](auto other, auto lane) { return other > lane; })},
      {Special::clock, u32, constant(0x9abcdef0)},
      {Special::clock_high, u32, constant(0x12345678)},
      {Special::clock64, u64, constant(0x123456789abcdef0)},
      {Special::global_timer, u64, constant(0xfedcba9876543210)},
      {Special::global_timer_low, u32, constant(0x76543210)},
      {Special::global_timer_high, u32, constant(0xfedcba98)},
      {Special::dynamic_shared_bytes, u32, constant(4096)},
      {Special::total_shared_bytes, u32, constant(5120)},
      {Special::aggregate_shared_bytes, u32, constant(6144)},
      {Special::dynamic_shared_offset, u32, constant(1024)},
      {Special::stack_pointer, u32, constant(640)},
  };
  for (const VectorUnit& unit : vector_units()) {
    for (const Row& row : table) {
      const auto values = read(row.special, row.type, context, unit);
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if (lane != 3) {
          EXPECT_EQ(values[lane], row.value(lane))
              << unit.name << " special " << static_cast<int>(row.special) << " lane " << lane;
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle::exec::test
