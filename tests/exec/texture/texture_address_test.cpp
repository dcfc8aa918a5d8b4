// The address that texture instructions report to the timing model: that of the first texel that
// the filter reads.

#include <algorithm>
#include <cmath>

#include "exec/texture/texture_fixture.h"

namespace heddle::exec::test {
namespace {

using code::TextureGeometry;

class TextureAddressTest : public TextureTest {
 protected:
  std::uint64_t address(int lane) const {
    return harness.context.address()[static_cast<std::size_t>(lane)];
  }
  /// The texel that an index selects, according to the definitions of the address modes. In border
  /// mode, returns the nearest texel inside.
  static std::uint32_t texel(AddressMode mode, bool normalized, std::int64_t index,
                             std::uint32_t extent) {
    const auto size = static_cast<std::int64_t>(extent);
    if (normalized && mode == AddressMode::wrap) {
      while (index < 0) index += size;
      return static_cast<std::uint32_t>(index % size);
    }
    if (normalized && mode == AddressMode::mirror) {
      while (index < 0) index += 2 * size;
      index %= 2 * size;
      return static_cast<std::uint32_t>(index < size ? index : 2 * size - 1 - index);
    }
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(index, 0, size - 1));
  }
};

TEST_F(TextureAddressTest, IsLowestCornerOfFilter) {
  const ArrayShape shape{.width = 13, .height = 7};
  ArrayStorage array(memory, shape, kFloat4);
  fill(array);
  for (const AddressMode mode :
       {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
    for (const bool normalized : {false, true}) {
      for (const FilterMode filter : {FilterMode::point, FilterMode::linear}) {
        SamplerDescription sampler;
        sampler.address_modes = {mode, mode, mode};
        sampler.normalized_coordinates = normalized;
        sampler.filter = filter;
        const std::uint64_t handle = unit_.create_texture(ArrayResource{&array}, sampler);
        for (int round = 0; round < 10; ++round) {
          harness.reset();
          set_handle(handle);
          std::array<std::array<double, 2>, 32> place{};
          for (int lane = 0; lane < 32; ++lane) {
            for (std::uint32_t d = 0; d < 2; ++d) {
              const double extent = d == 0 ? 13 : 7;
              const float coordinate = normalized
                                           ? random_float(-1.5F, 2.5F)
                                           : random_float(-4, static_cast<float>(extent) + 4);
              set_coordinate(d, lane, coordinate);
              place[static_cast<std::size_t>(lane)][d] =
                  normalized ? static_cast<double>(coordinate) * extent
                             : static_cast<double>(coordinate);
            }
          }
          ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::d2, ValueType::f32, 2),
                                      vector_units().front()));
          for (int lane = 0; lane < 32; ++lane) {
            const double shift = filter == FilterMode::linear ? 0.5 : 0;
            const auto& [x, y] = place[static_cast<std::size_t>(lane)];
            ASSERT_EQ(
                address(lane),
                array.level(0).texel_address(
                    texel(mode, normalized, static_cast<std::int64_t>(std::floor(x - shift)), 13),
                    texel(mode, normalized, static_cast<std::int64_t>(std::floor(y - shift)), 7), 0,
                    16));
          }
        }
      }
    }
  }
}

TEST_F(TextureAddressTest, IsInLargerOfTwoMipmapLevels) {
  ArrayStorage array(memory, {.width = 16, .height = 16, .levels = 3}, kFloat1);
  for (std::uint32_t level = 0; level < 3; ++level) fill(array, level);
  for (const FilterMode filter : {FilterMode::point, FilterMode::linear}) {
    SamplerDescription sampler;
    sampler.normalized_coordinates = true;
    sampler.filter = filter;
    sampler.mipmap_filter = FilterMode::linear;
    sampler.greatest_level = 2;
    harness.reset();
    set_handle(unit_.create_texture(ArrayResource{&array}, sampler));
    for (int lane = 0; lane < 32; ++lane) {
      set_coordinate(0, lane, 0.6F);
      set_coordinate(1, lane, 0.6F);
      set_coordinate(2, lane, 1.5F);
    }
    code::Instruction read = make_texture(TextureGeometry::d2, ValueType::f32, 3);
    read.level = code::TextureLevel::level;
    ASSERT_TRUE(harness.execute(read, vector_units().front()));
    // The larger level has 8 texels in each dimension, and 0.6 * 8 = 4.8. This is within texel 4,
    // and a linear filter reads texels 4 and 5.
    EXPECT_EQ(address(0), array.level(1).texel_address(4, 4, 0, 4));
  }
}

TEST_F(TextureAddressTest, IsLowestCornerOfGather) {
  ArrayStorage array(memory, {.width = 8, .height = 8}, kFloat4);
  fill(array);
  harness.reset();
  set_handle(unit_.create_texture(ArrayResource{&array}, {}));
  for (int lane = 0; lane < 32; ++lane) {
    set_coordinate(0, lane, 3.0F);
    set_coordinate(1, lane, 5.75F);
  }
  code::Instruction gather = make_texture(TextureGeometry::d2, ValueType::f32, 2);
  gather.gather_component = 1;
  ASSERT_TRUE(harness.execute(gather, vector_units().front()));
  EXPECT_EQ(address(0), array.level(0).texel_address(2, 5, 0, 16));
}

TEST_F(TextureAddressTest, IsNearestTexelForBufferReadOutside) {
  const std::uint64_t buffer = memory.allocate(400);
  harness.reset();
  set_handle(unit_.create_texture(LinearResource{buffer, 400, kInt1}, {}));
  for (int lane = 0; lane < 32; ++lane) set_coordinate(0, lane, lane * 10 - 100);
  ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::d1, ValueType::s32, 1, ValueType::s32),
                              vector_units().front()));
  for (int lane = 0; lane < 32; ++lane) {
    const auto x = static_cast<std::uint64_t>(std::clamp(lane * 10 - 100, 0, 99));
    EXPECT_EQ(address(lane), buffer + x * 4);
  }
}

}  // namespace
}  // namespace heddle::exec::test
