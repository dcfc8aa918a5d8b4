// Texture fetches, compared with the formulas in the appendix of the CUDA programming guide.

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "base/half_model.h"
#include "exec/texture/texture_fixture.h"

namespace heddle::exec::test {
namespace {

using code::Operand;
using code::TextureGeometry;
using code::TextureLevel;
using ::testing::HasSubstr;

/// The texel that index i selects in one dimension, according to the guide; -1 for the border.
int texel_index(int i, int size, AddressMode mode, bool normalized) {
  if (!normalized && (mode == AddressMode::wrap || mode == AddressMode::mirror)) {
    mode = AddressMode::clamp;
  }
  switch (mode) {
    case AddressMode::clamp:
      return i < 0 ? 0 : i >= size ? size - 1 : i;
    case AddressMode::border:
      return i < 0 || i >= size ? -1 : i;
    case AddressMode::wrap:
      while (i < 0) i += size;
      while (i >= size) i -= size;
      return i;
    case AddressMode::mirror:
      // Reflects the index at the ends until it is inside.
      for (;;) {
        if (i < 0) {
          i = -1 - i;
        } else if (i >= size) {
          i = 2 * size - 1 - i;
        } else {
          return i;
        }
      }
  }
  return -1;
}

class TextureFetchTest : public TextureTest {
 protected:
  float texel(const std::vector<std::byte>& data, const ArrayShape& shape, int x, int y, int z,
              int channel, int channels) {
    if (x < 0 || y < 0 || z < 0) return 0;
    const auto height = static_cast<int>(std::max(shape.height, 1U));
    const auto index = ((z * height + y) * static_cast<int>(shape.width) + x) * channels + channel;
    float value = 0;
    std::memcpy(&value, &data.at(static_cast<std::size_t>(index) * 4), 4);
    return value;
  }
};

TEST_F(TextureFetchTest, LinearMemoryFetchReadsZeroOutside) {
  std::vector<std::int32_t> values(100);
  for (auto& value : values) value = static_cast<std::int32_t>(random());
  const std::uint64_t buffer = memory.allocate(404);
  memory.write(buffer, std::as_bytes(std::span(values)));
  const std::uint64_t handle = unit_.create_texture(LinearResource{buffer, 400, kInt1}, {});
  for (const VectorUnit& unit : vector_units()) {
    harness.reset();
    set_handle(handle);
    for (int lane = 0; lane < 32; ++lane) set_coordinate(0, lane, lane * 5 - 10);
    harness.context.active = 0x7fffffff;
    ASSERT_TRUE(harness.execute(
        make_texture(TextureGeometry::d1, ValueType::s32, 1, ValueType::s32), unit));
    for (int lane = 0; lane < 32; ++lane) {
      const int x = lane * 5 - 10;
      const bool is_inside = x >= 0 && x < 100;
      const auto value =
          is_inside ? static_cast<std::uint32_t>(values[static_cast<std::size_t>(x)]) : 0U;
      EXPECT_EQ(harness.word(kResult, lane), lane == 31 ? kUntouched : value);
      if (lane != 31) {
        EXPECT_EQ(harness.word(kResult + 1, lane), 0U);
      }
      if (is_inside && lane != 31) {
        EXPECT_EQ(harness.context.address()[static_cast<std::size_t>(lane)],
                  buffer + static_cast<unsigned>(x) * 4);
      }
    }
  }
}

/// A normalized coordinate truncated to its 21 significant fraction bits.
double truncate_to_21_bits(float coordinate) {
  return std::floor(static_cast<double>(coordinate) * 2097152) / 2097152;
}

TEST_F(TextureFetchTest, PointSamplingReadsTexelAtCoordinate) {
  const ArrayShape shape{.width = 13, .height = 7};
  ArrayStorage array(memory, shape, kFloat1);
  const std::vector<std::byte> data = fill(array);
  for (const AddressMode mode :
       {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
    for (const bool normalized : {false, true}) {
      SamplerDescription sampler;
      sampler.address_modes = {mode, mode, mode};
      sampler.normalized_coordinates = normalized;
      const std::uint64_t handle = unit_.create_texture(ArrayResource{&array}, sampler);
      for (int round = 0; round < 30; ++round) {
        harness.reset();
        set_handle(handle);
        std::array<std::array<float, 2>, 32> at{};
        for (int lane = 0; lane < 32; ++lane) {
          auto& [x, y] = at[static_cast<std::size_t>(lane)];
          x = normalized ? random_float(-3, 3) : random_float(-20, 30);
          y = normalized ? random_float(-3, 3) : random_float(-20, 30);
          set_coordinate(0, lane, x);
          set_coordinate(1, lane, y);
        }
        ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::d2, ValueType::f32, 2),
                                    vector_units().front()));
        for (int lane = 0; lane < 32; ++lane) {
          const auto [x, y] = at[static_cast<std::size_t>(lane)];
          const double sx = normalized ? truncate_to_21_bits(x) * 13 : static_cast<double>(x);
          const double sy = normalized ? truncate_to_21_bits(y) * 7 : static_cast<double>(y);
          const int i = texel_index(static_cast<int>(std::floor(sx)), 13, mode, normalized);
          const int j = texel_index(static_cast<int>(std::floor(sy)), 7, mode, normalized);
          const bool is_border = i < 0 || j < 0;
          EXPECT_EQ(result(lane), is_border ? 0 : texel(data, shape, i, j, 0, 0, 1))
              << x << " " << y << " mode " << static_cast<int>(mode);
          EXPECT_EQ(result(lane, 3), 0.0F);
        }
      }
    }
  }
}

TEST_F(TextureFetchTest, LinearFilteringUsesEightFractionBits) {
  for (const int dimensions : {1, 2, 3}) {
    ArrayShape shape{.width = 9};
    if (dimensions > 1) shape.height = 6;
    if (dimensions > 2) shape.depth = 5;
    ArrayStorage array(memory, shape, kFloat4);
    const std::vector<std::byte> data = fill(array);
    const std::array<int, 3> size{9, dimensions > 1 ? 6 : 1, dimensions > 2 ? 5 : 1};
    const TextureGeometry geometry = dimensions == 1   ? TextureGeometry::d1
                                     : dimensions == 2 ? TextureGeometry::d2
                                                       : TextureGeometry::d3;
    for (const AddressMode mode :
         {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
      for (const bool normalized : {false, true}) {
        SamplerDescription sampler;
        sampler.address_modes = {mode, mode, mode};
        sampler.filter = FilterMode::linear;
        sampler.normalized_coordinates = normalized;
        const std::uint64_t handle = unit_.create_texture(ArrayResource{&array}, sampler);
        harness.reset();
        set_handle(handle);
        std::array<std::array<float, 3>, 32> at{};
        for (int lane = 0; lane < 32; ++lane) {
          for (int d = 0; d < dimensions; ++d) {
            const auto n = static_cast<float>(size[static_cast<std::size_t>(d)]);
            float x = random_float(-2 * n, 3 * n);
            if (lane < 4) x = std::floor(x) + 0.5F;  // Exactly on a texel.
            if (normalized) x /= 8;
            at[static_cast<std::size_t>(lane)][static_cast<std::size_t>(d)] = x;
            set_coordinate(static_cast<std::uint32_t>(d), lane, x);
          }
        }
        ASSERT_TRUE(harness.execute(
            make_texture(geometry, ValueType::f32, static_cast<std::uint32_t>(dimensions)),
            vector_units().front()));
        for (int lane = 0; lane < 32; ++lane) {
          std::array<int, 3> i{}, next{};
          std::array<double, 3> alpha{};
          for (std::size_t d = 0; d < static_cast<std::size_t>(dimensions); ++d) {
            const float given = at[static_cast<std::size_t>(lane)][d];
            const double x =
                normalized ? truncate_to_21_bits(given) * size[d] : static_cast<double>(given);
            const double b = x - 0.5;
            i[d] = static_cast<int>(std::floor(b));
            alpha[d] = std::round((b - i[d]) * 256) / 256;
            next[d] = texel_index(i[d] + 1, size[d], mode, normalized);
            i[d] = texel_index(i[d], size[d], mode, normalized);
          }
          for (int c = 0; c < 4; ++c) {
            // There are four weights in a plane. The one of the far corner is rounded to 256ths,
            // and the others follow from it. The two planes are then combined with the weight along
            // z.
            const double far = std::floor(alpha[0] * alpha[1] * 256 + 0.5) / 256;
            const auto in_plane = [&](int z) {
              const auto value = [&](int x, int y) {
                return static_cast<double>(texel(data, shape, x, y, z, c, 4));
              };
              return (1 - alpha[0] - alpha[1] + far) * value(i[0], i[1]) +
                     (alpha[0] - far) * value(next[0], i[1]) +
                     (alpha[1] - far) * value(i[0], next[1]) + far * value(next[0], next[1]);
            };
            const double expected = (1 - alpha[2]) * in_plane(i[2]) + alpha[2] * in_plane(next[2]);
            ASSERT_NEAR(static_cast<double>(result(lane, static_cast<std::uint32_t>(c))), expected,
                        1e-6);
          }
        }
      }
    }
  }
}

TEST_F(TextureFetchTest, NormalizedReadsMapIntegersToNumbers) {
  std::vector<std::uint8_t> bytes(64);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
  const std::uint64_t buffer = memory.allocate(256);
  for (std::uint32_t y = 0; y < 4; ++y) {
    memory.write(buffer + y * 64, std::as_bytes(std::span(bytes)).subspan(y * 16, 16));
  }
  SamplerDescription sampler;
  sampler.normalized_float = true;
  const std::uint64_t handle =
      unit_.create_texture(PitchedResource{buffer, 4, 4, 64, kBytes4}, sampler);
  set_handle(handle);
  for (int lane = 0; lane < 32; ++lane) {
    set_coordinate(0, lane, static_cast<float>(lane % 4));
    set_coordinate(1, lane, static_cast<float>(lane / 4 % 4));
  }
  ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::d2, ValueType::f32, 2),
                              vector_units().front()));
  for (int lane = 0; lane < 16; ++lane) {
    for (std::uint32_t c = 0; c < 4; ++c) {
      EXPECT_EQ(result(lane, c),
                static_cast<float>(bytes[static_cast<std::size_t>(lane) * 4 + c]) / 255);
    }
  }
  // The same results as halves: first one half in a register, then two.
  ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::d2, ValueType::f32, 2, ValueType::f16),
                              vector_units().front()));
  for (std::uint32_t c = 0; c < 4; ++c) {
    EXPECT_EQ(harness.word(kResult + c, 5),
              nearest_half(static_cast<double>(bytes[20 + c] / 255.0F)));
  }
  code::Instruction packed = make_texture(TextureGeometry::d2, ValueType::f32, 2, ValueType::f16x2);
  packed.destinations.resize(2);
  ASSERT_TRUE(harness.execute(packed, vector_units().front()));
  EXPECT_EQ(harness.word(kResult + 1, 5) >> 16,
            nearest_half(static_cast<double>(bytes[23] / 255.0F)));
  EXPECT_EQ(harness.word(kResult + 1, 5) & 0xffff,
            nearest_half(static_cast<double>(bytes[22] / 255.0F)));
}

TEST_F(TextureFetchTest, LayerIndexIsClamped) {
  const ArrayShape shape{.width = 6, .height = 4, .layers = 3};
  ArrayStorage array(memory, shape, kFloat1);
  const std::vector<std::byte> data = fill(array);
  set_handle(unit_.create_texture(ArrayResource{&array}, {}));
  for (int lane = 0; lane < 32; ++lane) {
    set_coordinate(0, lane, lane % 6 - 1);
    set_coordinate(1, lane, 2.5F);
    set_coordinate(2, lane, 1.25F);
  }
  ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::d2_array, ValueType::f32, 3),
                              vector_units().front()));
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(result(lane), texel(data, shape, 2, 1, std::clamp(lane % 6 - 1, 0, 2), 0, 1));
  }
}

TEST_F(TextureFetchTest, CubeMapReadsTexelInDirection) {
  const ArrayShape shape{.width = 8, .height = 8, .layers = 6, .cube = true};
  ArrayStorage array(memory, shape, kFloat1);
  const std::vector<std::byte> data = fill(array);
  set_handle(unit_.create_texture(ArrayResource{&array}, {}));
  for (int round = 0; round < 100; ++round) {
    std::array<std::array<float, 3>, 32> directions{};
    for (int lane = 0; lane < 32; ++lane) {
      auto& direction = directions[static_cast<std::size_t>(lane)];
      for (float& c : direction) c = random_float(-2, 2);
      if (lane < 6) {
        direction = {0, 0, 0};
        direction[static_cast<std::size_t>(lane / 2)] = lane % 2 == 0 ? 3.0F : -3.0F;
      }
      for (std::uint32_t d = 0; d < 3; ++d) set_coordinate(d, lane, direction[d]);
    }
    ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::cube, ValueType::f32, 3),
                                vector_units().front()));
    for (int lane = 0; lane < 32; ++lane) {
      const auto [x, y, z] = directions[static_cast<std::size_t>(lane)];
      // The rows of the guide's table.
      int face = 0;
      float m = 0, s = 0, t = 0;
      if (std::fabs(x) >= std::fabs(y) && std::fabs(x) >= std::fabs(z)) {
        face = x >= 0 ? 0 : 1;
        m = std::fabs(x);
        s = x >= 0 ? -z : z;
        t = -y;
      } else if (std::fabs(y) >= std::fabs(z)) {
        face = y >= 0 ? 2 : 3;
        m = std::fabs(y);
        s = x;
        t = y >= 0 ? z : -z;
      } else {
        face = z >= 0 ? 4 : 5;
        m = std::fabs(z);
        s = z >= 0 ? x : -x;
        t = -y;
      }
      const int i = std::min(7, static_cast<int>(std::floor((s / m + 1) / 2 * 8)));
      const int j = std::min(7, static_cast<int>(std::floor((t / m + 1) / 2 * 8)));
      EXPECT_EQ(result(lane), texel(data, shape, i, j, face, 0, 1));
      if (lane < 6) {
        EXPECT_EQ(face, lane);
      }
    }
  }
}

TEST_F(TextureFetchTest, GatherReadsFourTexelsCounterclockwise) {
  const ArrayShape shape{.width = 8, .height = 8};
  ArrayStorage array(memory, shape, kFloat4);
  const std::vector<std::byte> data = fill(array);
  set_handle(unit_.create_texture(ArrayResource{&array}, {}));
  for (int lane = 0; lane < 32; ++lane) {
    set_coordinate(0, lane, 3.0F + 0.02F * static_cast<float>(lane));
    set_coordinate(1, lane, 5.25F);
  }
  for (int component = 0; component < 4; ++component) {
    code::Instruction gather = make_texture(TextureGeometry::d2, ValueType::f32, 2);
    gather.gather_component = static_cast<std::uint8_t>(component);
    ASSERT_TRUE(harness.execute(gather, vector_units().front()));
    for (int lane = 0; lane < 32; ++lane) {
      const int i = static_cast<int>(std::floor(3.0F + 0.02F * static_cast<float>(lane) - 0.5F));
      EXPECT_EQ(result(lane, 0), texel(data, shape, i, 5, 0, component, 4));
      EXPECT_EQ(result(lane, 1), texel(data, shape, i + 1, 5, 0, component, 4));
      EXPECT_EQ(result(lane, 2), texel(data, shape, i + 1, 4, 0, component, 4));
      EXPECT_EQ(result(lane, 3), texel(data, shape, i, 4, 0, component, 4));
    }
  }
}

TEST_F(TextureFetchTest, SelectsMipmapLevelByLevelOrGradient) {
  const ArrayShape shape{.width = 16, .height = 16, .levels = 5};
  ArrayStorage array(memory, shape, kFloat1);
  for (std::uint32_t level = 0; level < 5; ++level) {
    for (std::uint32_t y = 0; y < array.level(level).height; ++y) {
      const std::vector<float> row(array.level(level).width, static_cast<float>(level) * 10);
      array.write_row(std::as_bytes(std::span(row)), 0, y, 0, level);
    }
  }
  for (const FilterMode filter : {FilterMode::point, FilterMode::linear}) {
    SamplerDescription sampler;
    sampler.normalized_coordinates = true;
    sampler.mipmap_filter = filter;
    sampler.greatest_level = 4;
    set_handle(unit_.create_texture(ArrayResource{&array}, sampler));
    const auto expected = [&](double level) {
      level = std::clamp(level, 0.0, 4.0);
      return filter == FilterMode::point ? std::floor(level + 0.5) * 10
                                         : std::round(level * 256) / 256 * 10;
    };
    for (int lane = 0; lane < 32; ++lane) {
      set_coordinate(0, lane, 0.4F);
      set_coordinate(1, lane, 0.7F);
      set_coordinate(2, lane, static_cast<float>(lane) * 0.2F - 1);
    }
    code::Instruction by_level = make_texture(TextureGeometry::d2, ValueType::f32, 3);
    by_level.level = TextureLevel::level;
    ASSERT_TRUE(harness.execute(by_level, vector_units().front()));
    for (int lane = 0; lane < 32; ++lane) {
      EXPECT_NEAR(static_cast<double>(result(lane)),
                  expected(static_cast<double>(static_cast<float>(lane) * 0.2F - 1)), 1e-5);
    }
    // The gradient d/dx spans 2^(lane / 4) texels along x; d/dy spans fewer.
    for (int lane = 0; lane < 32; ++lane) {
      set_coordinate(2, lane, std::exp2(static_cast<float>(lane) / 4) / 16);
      set_coordinate(3, lane, 0.0F);
      set_coordinate(4, lane, 0.0F);
      set_coordinate(5, lane, 0.01F);
    }
    code::Instruction by_gradient = make_texture(TextureGeometry::d2, ValueType::f32, 6);
    by_gradient.level = TextureLevel::gradient;
    ASSERT_TRUE(harness.execute(by_gradient, vector_units().front()));
    for (int lane = 0; lane < 32; ++lane) {
      if (filter == FilterMode::point && lane % 4 == 2) continue;  // Halfway between two levels.
      EXPECT_NEAR(static_cast<double>(result(lane)), expected(lane / 4.0), 0.05) << lane;
    }
  }
}

TEST_F(TextureFetchTest, ExtremeCoordinatesAreSafe) {
  const ArrayShape shape{.width = 5, .height = 5};
  ArrayStorage array(memory, shape, kFloat1);
  fill(array);
  const std::array<float, 8> wild{NAN,    INFINITY, -INFINITY, 1e38F,
                                  -1e38F, 0x1p31F,  -0x1p63F,  1e-45F};
  for (const AddressMode mode :
       {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
    for (const FilterMode filter : {FilterMode::point, FilterMode::linear}) {
      SamplerDescription sampler;
      sampler.address_modes = {mode, mode, mode};
      sampler.filter = filter;
      sampler.normalized_coordinates = true;
      set_handle(unit_.create_texture(ArrayResource{&array}, sampler));
      for (int lane = 0; lane < 32; ++lane) {
        set_coordinate(0, lane, wild[static_cast<std::size_t>(lane % 8)]);
        set_coordinate(1, lane, wild[static_cast<std::size_t>(lane / 4)]);
        set_coordinate(2, lane, wild[static_cast<std::size_t>(lane / 4)]);
      }
      code::Instruction by_level = make_texture(TextureGeometry::d2, ValueType::f32, 3);
      by_level.level = TextureLevel::level;
      ASSERT_TRUE(harness.execute(by_level, vector_units().front()));
      for (int lane = 0; lane < 32; ++lane) EXPECT_TRUE(std::isfinite(result(lane)));
    }
  }
}

TEST_F(TextureFetchTest, ExtremeCoordinatesAreClampedToEdges) {
  const ArrayShape shape{.width = 5, .height = 3};
  ArrayStorage array(memory, shape, kFloat4);
  const std::vector<std::byte> data = fill(array);
  struct Wild {
    float coordinate;
    int x, y;
  };
  const std::array<Wild, 8> wild{{{NAN, 0, 0},
                                  {INFINITY, 4, 2},
                                  {-INFINITY, 0, 0},
                                  {1e38F, 4, 2},
                                  {-0.5F, 0, 0},
                                  {-0.0F, 0, 0},
                                  {2.999F, 2, 2},
                                  {1e-45F, 0, 0}}};
  set_handle(unit_.create_texture(ArrayResource{&array}, {}));
  // Combines each x with each y. The destination overwrites the x coordinate.
  code::Instruction read = make_texture(TextureGeometry::d2, ValueType::f32, 2);
  read.destinations[0] = code::Operand::reg(kCoordinates);
  for (std::size_t shift = 0; shift < 8; ++shift) {
    for (int lane = 0; lane < 32; ++lane) {
      const auto i = static_cast<std::size_t>(lane);
      set_coordinate(0, lane, wild[i % 8].coordinate);
      set_coordinate(1, lane, wild[(i + shift) % 8].coordinate);
    }
    ASSERT_TRUE(harness.execute(read, vector_units().front()));
    for (int lane = 0; lane < 32; ++lane) {
      const auto i = static_cast<std::size_t>(lane);
      const int x = wild[i % 8].x;
      const int y = wild[(i + shift) % 8].y;
      EXPECT_EQ(harness.get<float>(kCoordinates, lane), texel(data, shape, x, y, 0, 0, 4));
      for (std::uint32_t c = 1; c < 4; ++c) {
        EXPECT_EQ(result(lane, c), texel(data, shape, x, y, 0, static_cast<int>(c), 4));
      }
      EXPECT_EQ(harness.context.address()[i],
                array.level(0).texel_address(static_cast<std::uint32_t>(x),
                                             static_cast<std::uint32_t>(y), 0, 16));
    }
  }
}

TEST_F(TextureFetchTest, EveryVectorUnitReadsTexelsOfActiveLanes) {
  const ArrayShape shape{.width = 13, .height = 7};
  for (const ChannelFormat& format : {kFloat1, kFloat4}) {
    ArrayStorage array(memory, shape, format);
    const std::vector<std::byte> data = fill(array);
    const int channels = format.channels;
    for (const bool normalized : {false, true}) {
      SamplerDescription sampler;
      sampler.normalized_coordinates = normalized;
      const std::uint64_t handle = unit_.create_texture(ArrayResource{&array}, sampler);
      for (const VectorUnit& unit : vector_units()) {
        for (const std::uint32_t active : {~0U, 1U, 0x8000'0000U, 0x0f0f'1234U}) {
          harness.reset();
          harness.context.active = active;
          for (int lane = 0; lane < 32; ++lane) {
            // Inactive lanes have no texture.
            const bool is_active = (active >> lane & 1) != 0;
            harness.set<std::uint64_t>(kHandle, lane, is_active ? handle : random());
            set_coordinate(0, lane, random_float(-1, normalized ? 2 : 15));
            set_coordinate(1, lane, random_float(-1, normalized ? 2 : 9));
          }
          const auto coordinate = [&](std::uint32_t number, int lane) {
            const float value = harness.get<float>(kCoordinates + number, lane);
            const double extent = number == 0 ? 13 : 7;
            const double place = normalized ? truncate_to_21_bits(value) * extent : double{value};
            return static_cast<int>(std::clamp(std::floor(place), 0.0, extent - 1));
          };
          const auto untouched = std::bit_cast<float>(kUntouched);
          ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::d2, ValueType::f32, 2), unit));
          for (int lane = 0; lane < 32; ++lane) {
            for (int c = 0; c < 4; ++c) {
              float expected = untouched;
              if ((active >> lane & 1) != 0) {
                expected = c < channels ? texel(data, shape, coordinate(0, lane),
                                                coordinate(1, lane), 0, c, channels)
                                        : 0.0F;
              }
              EXPECT_EQ(std::bit_cast<std::uint32_t>(result(lane, static_cast<std::uint32_t>(c))),
                        std::bit_cast<std::uint32_t>(expected))
                  << unit.name << " lane " << lane << " channel " << c;
            }
          }
        }
      }
    }
  }
}

TEST_F(TextureFetchTest, LanesMayReadDifferentTextures) {
  const ArrayShape shape{.width = 4, .height = 4};
  ArrayStorage one(memory, shape, kFloat1), other(memory, shape, kFloat1);
  const std::vector<std::byte> texels_of_one = fill(one);
  const std::vector<std::byte> texels_of_other = fill(other);
  const std::uint64_t handles[] = {unit_.create_texture(ArrayResource{&one}, {}),
                                   unit_.create_texture(ArrayResource{&other}, {})};
  for (int lane = 0; lane < 32; ++lane) {
    harness.set<std::uint64_t>(kHandle, lane, handles[lane % 3 == 0 ? 1 : 0]);
    set_coordinate(0, lane, static_cast<float>(lane % 4));
    set_coordinate(1, lane, static_cast<float>(lane / 8));
  }
  ASSERT_TRUE(harness.execute(make_texture(TextureGeometry::d2, ValueType::f32, 2),
                              vector_units().front()));
  for (int lane = 0; lane < 32; ++lane) {
    const auto& data = lane % 3 == 0 ? texels_of_other : texels_of_one;
    EXPECT_EQ(result(lane), texel(data, shape, lane % 4, lane / 8, 0, 0, 1));
  }
}

TEST_F(TextureFetchTest, QueriesReturnShapeAndSampler) {
  using code::TextureQuery;
  const ArrayShape shape{.width = 16, .height = 8, .layers = 3, .levels = 2};
  ArrayStorage array(memory, shape, kBytes4);
  SamplerDescription sampler;
  sampler.address_modes = {AddressMode::wrap, AddressMode::border, AddressMode::mirror};
  sampler.normalized_coordinates = true;
  sampler.normalized_float = true;
  sampler.filter = FilterMode::linear;
  const std::uint64_t texture = unit_.create_texture(ArrayResource{&array}, sampler);
  const std::uint64_t surface = unit_.create_surface(array);
  const auto query = [&](TextureQuery queried, std::uint64_t handle, bool is_surface) {
    code::Instruction instruction;
    instruction.operation = code::Operation::texture_query;
    instruction.type = ValueType::b32;
    instruction.query = queried;
    instruction.is_surface_query = is_surface;
    instruction.destinations.push_back(Operand::reg(kResult));
    instruction.sources.push_back(Operand::reg(kHandle, 2));
    set_handle(handle);
    EXPECT_TRUE(harness.execute(instruction, vector_units().front()));
    return harness.word(kResult, 7);
  };
  for (const bool is_surface : {false, true}) {
    const std::uint64_t handle = is_surface ? surface : texture;
    EXPECT_EQ(query(TextureQuery::width, handle, is_surface), 16U);
    EXPECT_EQ(query(TextureQuery::height, handle, is_surface), 8U);
    EXPECT_EQ(query(TextureQuery::depth, handle, is_surface), 0U);
    EXPECT_EQ(query(TextureQuery::array_size, handle, is_surface), 3U);
    EXPECT_EQ(query(TextureQuery::channel_order, handle, is_surface), 0x10b5U);
    EXPECT_EQ(query(TextureQuery::channel_data_type, handle, is_surface),
              is_surface ? 0x10daU : 0x10d2U);
  }
  EXPECT_EQ(query(TextureQuery::mip_levels, texture, false), 2U);
  EXPECT_EQ(query(TextureQuery::normalized_coordinates, texture, false), 1U);
  EXPECT_EQ(query(TextureQuery::filter_mode, texture, false), 1U);
  EXPECT_EQ(query(TextureQuery::address_mode_0, texture, false), 0U);
  EXPECT_EQ(query(TextureQuery::address_mode_1, texture, false), 4U);
  EXPECT_EQ(query(TextureQuery::address_mode_2, texture, false), 1U);
}

TEST_F(TextureFetchTest, InvalidHandleOrGeometryFaults) {
  ArrayStorage array(memory, {.width = 8, .height = 8}, kFloat1);
  const std::uint64_t texture = unit_.create_texture(ArrayResource{&array}, {});
  const std::uint64_t surface = unit_.create_surface(array);
  const std::uint64_t destroyed = unit_.create_texture(ArrayResource{&array}, {});
  unit_.destroy_texture(destroyed);
  const VectorUnit& unit = vector_units().front();
  const auto detail = [&](std::uint64_t handle, TextureGeometry geometry, std::uint32_t words) {
    for (std::uint32_t i = 0; i < words; ++i) {
      for (int lane = 0; lane < 32; ++lane) set_coordinate(i, lane, 0.0F);
    }
    set_handle(texture);
    harness.set<std::uint64_t>(kHandle, 12, handle);
    const auto fault = fault_of(make_texture(geometry, ValueType::f32, words), unit);
    if (!fault) return std::string("no fault");
    EXPECT_EQ(fault->kind, FaultKind::invalid_texture);
    return fault->detail;
  };
  EXPECT_EQ(detail(texture, TextureGeometry::d2, 2), "no fault");
  EXPECT_THAT(detail(0, TextureGeometry::d2, 2), HasSubstr("0x0 is not a texture handle"));
  EXPECT_THAT(detail(surface, TextureGeometry::d2, 2), HasSubstr("a surface"));
  EXPECT_THAT(detail(destroyed, TextureGeometry::d2, 2), HasSubstr("a texture that was destroyed"));
  EXPECT_THAT(detail(texture, TextureGeometry::d3, 3),
              HasSubstr("is a 2D image, but is used as a 3D"));
  EXPECT_THAT(detail(texture, TextureGeometry::d2_array, 3),
              HasSubstr("used as a layered 2D image"));
  EXPECT_THAT(detail(texture, TextureGeometry::cube, 3), HasSubstr("used as a cube map"));
  EXPECT_THROW(unit_.destroy_texture(destroyed), InputError);
  EXPECT_THROW(unit_.destroy_texture(surface), InputError);
  EXPECT_THROW(unit_.destroy_surface(texture), InputError);
}

TEST_F(TextureFetchTest, TextureOfFreedMemoryFaults) {
  const std::uint64_t buffer = memory.allocate(64, {.name = "texels"});
  set_handle(unit_.create_texture(LinearResource{buffer, 64, kFloat1}, {}));
  for (int lane = 0; lane < 32; ++lane) set_coordinate(0, lane, 0);
  const code::Instruction fetch = make_texture(TextureGeometry::d1, ValueType::s32, 1);
  EXPECT_FALSE(fault_of(fetch, vector_units().front()).has_value());
  memory.free(buffer);
  const auto fault = fault_of(fetch, vector_units().front());
  ASSERT_TRUE(fault.has_value());
  EXPECT_EQ(fault->kind, FaultKind::freed_memory);
  EXPECT_THAT(fault->detail, HasSubstr("freed 'texels'"));
}

TEST_F(TextureFetchTest, RejectsInvalidTextures) {
  const std::uint64_t buffer = memory.allocate(1024);
  SamplerDescription linear;
  linear.filter = FilterMode::linear;
  SamplerDescription normalized;
  normalized.normalized_float = true;
  EXPECT_THROW(unit_.create_texture(LinearResource{buffer, 2000, kFloat1}, {}), InputError);
  EXPECT_THROW(unit_.create_texture(LinearResource{buffer, 0, kFloat1}, {}), InputError);
  EXPECT_THROW(unit_.create_texture(LinearResource{buffer + 2, 64, kFloat1}, {}), InputError);
  EXPECT_THROW(unit_.create_texture(LinearResource{buffer, 64, kInt1}, linear), InputError);
  EXPECT_THROW(unit_.create_texture(LinearResource{buffer, 64, kInt1}, normalized), InputError);
  EXPECT_THROW(unit_.create_texture(PitchedResource{buffer, 8, 8, 16, kFloat1}, {}), InputError);
  EXPECT_THROW(unit_.create_texture(PitchedResource{buffer, 8, 80, 32, kFloat1}, {}), InputError);
  EXPECT_THROW(unit_.create_texture(ArrayResource{}, {}), InputError);
  EXPECT_NO_THROW(unit_.create_texture(PitchedResource{buffer, 8, 32, 32, kFloat1}, {}));
}

}  // namespace
}  // namespace heddle::exec::test
