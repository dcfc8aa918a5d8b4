#include <algorithm>

#include "exec/texture/texture_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::Operation;
using code::Reduction;
using code::SurfaceBoundary;
using code::TextureGeometry;
using ::testing::HasSubstr;

class SurfaceTest : public TextureTest {
 protected:
  static constexpr std::uint32_t kData = 30;

  /// A surface instruction with `words` coordinate registers and `count` values. The values are
  /// results of a load, and sources of a store or reduction.
  code::Instruction make_surface(Operation operation, TextureGeometry geometry, ValueType type,
                                 std::uint32_t words, int count) {
    code::Instruction instruction;
    instruction.operation = operation;
    instruction.geometry = geometry;
    instruction.type = type;
    instruction.vector_count = static_cast<std::uint8_t>(count);
    instruction.sources.push_back(Operand::reg(kHandle, 2));
    for (std::uint32_t i = 0; i < words; ++i) {
      instruction.sources.push_back(Operand::reg(kCoordinates + i));
    }
    const int width = size_of(type) == 8 ? 2 : 1;
    for (int k = 0; k < count; ++k) {
      const auto offset = static_cast<std::uint32_t>(k * width);
      if (operation == Operation::surface_load) {
        instruction.destinations.push_back(Operand::reg(kResult + offset, width));
      } else {
        instruction.sources.push_back(Operand::reg(kData + offset, width));
      }
    }
    return instruction;
  }
};

TEST_F(SurfaceTest, LoadsAndStoresAccessBytesAtCoordinates) {
  struct Case {
    TextureGeometry geometry;
    ArrayShape shape;
    std::uint32_t words;
  };
  const std::vector<Case> cases = {
      {TextureGeometry::d1, {.width = 16}, 1},
      {TextureGeometry::d2, {.width = 8, .height = 5}, 2},
      {TextureGeometry::d3, {.width = 8, .height = 3, .depth = 4}, 3},
      {TextureGeometry::d1_array, {.width = 8, .layers = 3}, 2},
      {TextureGeometry::d2_array, {.width = 8, .height = 4, .layers = 3}, 3},
      {TextureGeometry::d2_array, {.width = 8, .height = 8, .layers = 6, .cube = true}, 3}};
  for (const Case& c : cases) {
    ArrayStorage array(memory, c.shape, kFloat4);
    std::vector<std::byte> model = fill(array);
    set_handle(unit_.create_surface(array));
    const bool is_layered =
        c.geometry == TextureGeometry::d1_array || c.geometry == TextureGeometry::d2_array;
    for (const ValueType type : {ValueType::b8, ValueType::b16, ValueType::b32, ValueType::b64}) {
      for (const int count : {1, 2, 4}) {
        const int bytes = size_of(type) * count;
        if (bytes > 16) continue;
        std::array<std::size_t, 32> place{};
        const auto row = static_cast<int>(array.row_bytes());
        const auto height = static_cast<int>(array.level(0).height);
        for (int lane = 0; lane < 32; ++lane) {
          const int x = static_cast<int>(random() % static_cast<unsigned>(row / bytes)) * bytes;
          const int y = static_cast<int>(random()) & 0x7fffffff;
          const int slice = static_cast<int>(random() % array.slices());
          const int row_number = y % height;
          std::uint32_t next = 0;
          if (is_layered) set_coordinate(next++, lane, slice);
          set_coordinate(next++, lane, x);
          if (c.shape.height != 0) set_coordinate(next++, lane, row_number);
          if (c.shape.depth != 0) set_coordinate(next++, lane, slice);
          place[static_cast<std::size_t>(lane)] =
              static_cast<std::size_t>((slice * height + row_number) * row + x);
          for (std::uint32_t r = 0; r < 8; ++r) {
            harness.set<std::uint32_t>(kData + r, lane, static_cast<std::uint32_t>(random()));
          }
        }
        harness.context.active = static_cast<std::uint32_t>(random()) | 1;
        ASSERT_TRUE(harness.execute(
            make_surface(Operation::surface_store, c.geometry, type, c.words, count),
            vector_units().front()));
        const auto register_of = [&](std::uint32_t first, int b) {
          const int size = size_of(type);
          const int width = size == 8 ? 2 : 1;
          return first + static_cast<std::uint32_t>(b / size * width + b % size / 4);
        };
        for (int lane = 0; lane < 32; ++lane) {
          if ((harness.context.active >> lane & 1) == 0) continue;
          for (int b = 0; b < bytes; ++b) {
            model[place[static_cast<std::size_t>(lane)] + static_cast<std::size_t>(b)] =
                static_cast<std::byte>(harness.word(register_of(kData, b), lane) >>
                                       (b % size_of(type) % 4 * 8));
          }
        }
        std::vector<std::byte> all(model.size());
        memory.read(array.image().address, all);
        ASSERT_EQ(all, model);

        ASSERT_TRUE(
            harness.execute(make_surface(Operation::surface_load, c.geometry, type, c.words, count),
                            vector_units().front()));
        for (int lane = 0; lane < 32; ++lane) {
          if ((harness.context.active >> lane & 1) == 0) continue;
          for (int b = 0; b < bytes; ++b) {
            const auto byte = static_cast<std::byte>(harness.word(register_of(kResult, b), lane) >>
                                                     (b % size_of(type) % 4 * 8));
            ASSERT_EQ(byte,
                      model[place[static_cast<std::size_t>(lane)] + static_cast<std::size_t>(b)]);
          }
        }
      }
    }
  }
}

TEST_F(SurfaceTest, BoundaryModeClampsZeroesOrFaults) {
  ArrayStorage array(memory, {.width = 4, .height = 4}, kInt1);
  std::vector<std::byte> model = fill(array);
  set_handle(unit_.create_surface(array));
  const std::vector<std::pair<int, int>> places = {{-4, 0}, {16, 1}, {4, -1}, {8, 4}, {12, 3}};
  for (const SurfaceBoundary boundary : {SurfaceBoundary::clamp, SurfaceBoundary::zero}) {
    for (int lane = 0; lane < 32; ++lane) {
      const auto [x, y] = places[static_cast<std::size_t>(lane) % places.size()];
      set_coordinate(0, lane, x);
      set_coordinate(1, lane, y);
      harness.set<std::uint32_t>(kData, lane, 77);
    }
    code::Instruction load =
        make_surface(Operation::surface_load, TextureGeometry::d2, ValueType::b32, 2, 1);
    load.boundary = boundary;
    ASSERT_TRUE(harness.execute(load, vector_units().front()));
    for (int lane = 0; lane < 32; ++lane) {
      const auto [x, y] = places[static_cast<std::size_t>(lane) % places.size()];
      const bool is_inside = x >= 0 && x < 16 && y >= 0 && y < 4;
      const auto at = static_cast<std::size_t>(std::clamp(y, 0, 3) * 16 + std::clamp(x, 0, 12));
      std::uint32_t expected = 0;
      std::memcpy(&expected, &model[at], 4);
      if (!is_inside && boundary == SurfaceBoundary::zero) expected = 0;
      EXPECT_EQ(harness.word(kResult, lane), expected);
    }
  }
  code::Instruction store =
      make_surface(Operation::surface_store, TextureGeometry::d2, ValueType::b32, 2, 1);
  store.boundary = SurfaceBoundary::zero;
  harness.context.active = 0b1111;  // All of these lanes are outside.
  ASSERT_TRUE(harness.execute(store, vector_units().front()));
  std::vector<std::byte> all(model.size());
  memory.read(array.image().address, all);
  EXPECT_EQ(all, model);

  store.boundary = SurfaceBoundary::trap;
  harness.context.active = 0b10010;  // Lane 4 is inside, lane 1 is not.
  const auto fault = fault_of(store, vector_units().front());
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::surface_bounds);
  EXPECT_EQ(fault->lane, 1);
  EXPECT_THAT(fault->detail,
              HasSubstr("byte 16 is outside of the surface: the valid range is 0 to 12"));
  memory.read(array.image().address, all);
  EXPECT_EQ(all, model);
  set_coordinate(0, 1, 2);
  EXPECT_EQ(fault_of(store, vector_units().front())->kind, FaultKind::misaligned);
}

TEST_F(SurfaceTest, FormattedStoresConvertToTexelFormat) {
  ArrayStorage array(memory, {.width = 32}, {ChannelKind::unsigned_integer, 8, 2});
  set_handle(unit_.create_surface(array));
  for (int lane = 0; lane < 32; ++lane) {
    set_coordinate(0, lane, 31 - lane);
    harness.set<std::uint32_t>(kData, lane, static_cast<std::uint32_t>(lane * 20));
    harness.set<std::uint32_t>(kData + 1, lane, static_cast<std::uint32_t>(lane));
  }
  code::Instruction store =
      make_surface(Operation::surface_store, TextureGeometry::d1, ValueType::b32, 1, 2);
  store.formatted = true;
  ASSERT_TRUE(harness.execute(store, vector_units().front()));
  std::vector<std::byte> row(64);
  array.read_row(row, 0);
  for (int lane = 0; lane < 32; ++lane) {
    const auto at = static_cast<std::size_t>(31 - lane) * 2;
    EXPECT_EQ(row[at], static_cast<std::byte>(std::min(lane * 20, 255)));
    EXPECT_EQ(row[at + 1], static_cast<std::byte>(lane));
  }
}

TEST_F(SurfaceTest, ReductionsCombineLanesWithSameTexel) {
  const std::vector<std::pair<Reduction, ValueType>> forms = {
      {Reduction::add, ValueType::u32},  {Reduction::add, ValueType::u64},
      {Reduction::min, ValueType::s32},  {Reduction::max, ValueType::u32},
      {Reduction::min, ValueType::u32},  {Reduction::max, ValueType::s32},
      {Reduction::and_, ValueType::b32}, {Reduction::or_, ValueType::b32}};
  for (const auto& [reduction, type] : forms) {
    ArrayStorage array(memory, {.width = 8, .height = 2}, kInt1);
    std::vector<std::byte> model = fill(array);
    set_handle(unit_.create_surface(array));
    const int bytes = size_of(type);
    for (int lane = 0; lane < 32; ++lane) {
      const int x = lane % 3 * 8;
      set_coordinate(0, lane, x);
      set_coordinate(1, lane, 1);
      const std::uint64_t value = std::uint64_t{random()} << 32 | random();
      harness.set<std::uint64_t>(kData, lane, value);
      const auto at = static_cast<std::size_t>(32 + x);
      std::uint64_t old = 0;
      std::memcpy(&old, &model[at], static_cast<std::size_t>(bytes));
      const std::uint64_t operand = bytes == 4 ? value & 0xffffffff : value;
      const bool is_less = is_signed_integer(type)
                               ? static_cast<std::int32_t>(operand) < static_cast<std::int32_t>(old)
                               : operand < old;
      std::uint64_t after = old + operand;
      if (reduction == Reduction::min) after = is_less ? operand : old;
      if (reduction == Reduction::max) after = is_less ? old : operand;
      if (reduction == Reduction::and_) after = old & operand;
      if (reduction == Reduction::or_) after = old | operand;
      std::memcpy(&model[at], &after, static_cast<std::size_t>(bytes));
    }
    code::Instruction reduce =
        make_surface(Operation::surface_reduce, TextureGeometry::d2, type, 2, 1);
    reduce.reduction = reduction;
    ASSERT_TRUE(harness.execute(reduce, vector_units().front()));
    std::vector<std::byte> all(model.size());
    memory.read(array.image().address, all);
    EXPECT_EQ(all, model) << static_cast<int>(reduction);
  }
}

}  // namespace
}  // namespace heddle::exec::test
