// Texture reads for all lanes at once, compared with reads lane by lane. A warp whose lanes have
// different handles reads lane by lane, so the reference is the same read through two handles of
// the same texture.

#include <bit>
#include <limits>

#include "exec/texture/texture_fixture.h"

namespace heddle::exec::test {
namespace {

using code::TextureGeometry;

struct Shape {
  TextureGeometry geometry;
  ArrayShape array;
  std::uint32_t coordinates;
  bool has_layer = false;
};

class WarpReadTest : public TextureTest {
 protected:
  /// A coordinate inside or outside of an image, at an edge or half of a texel, or a special value.
  float coordinate(bool normalized, std::uint32_t extent) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr std::array kSpecial{0.0F,    -0.0F,      kNan,   kInfinity, -kInfinity, 1e30F, -1e30F,
                                  0x1p52F, -0x1.8p53F, 1e-40F, -1e-40F,   0.5F,       1.0F};
    if (random() % 8 == 0) return kSpecial[random() % kSpecial.size()];
    const float size = normalized ? 1.0F : static_cast<float>(extent);
    if (random() % 4 == 0) {
      const auto halves = static_cast<float>(static_cast<int>(random() % (6 * extent)) -
                                             static_cast<int>(2 * extent));
      return halves / 2 * size / static_cast<float>(extent);
    }
    return random_float(-2 * size, 3 * size);
  }

  void set_coordinates(const Shape& shape, bool normalized, bool integer) {
    const std::array extents{shape.array.width, shape.array.height, shape.array.depth};
    for (int lane = 0; lane < 32; ++lane) {
      std::uint32_t word = 0;
      if (shape.has_layer) set_coordinate(word++, lane, static_cast<int>(random() % 7) - 2);
      for (std::uint32_t d = 0; d < shape.coordinates; ++d, ++word) {
        if (integer) {
          const bool extreme = random() % 8 == 0;
          set_coordinate(word, lane,
                         extreme ? static_cast<std::int32_t>(random())
                                 : static_cast<std::int32_t>(random() % (2 * extents[d])) -
                                       static_cast<std::int32_t>(extents[d] / 2));
        } else {
          set_coordinate(word, lane, coordinate(normalized, extents[d]));
        }
      }
    }
  }

  using Words = std::array<std::array<std::uint32_t, 5>, 32>;
  /// The four results of each lane, and the low word of the address that it reports.
  Words read(const code::Instruction& instruction, const VectorUnit& unit) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      for (int lane = 0; lane < 32; ++lane) harness.set(kResult + k, lane, kUntouched);
    }
    EXPECT_TRUE(harness.execute(instruction, unit));
    Words words{};
    for (int lane = 0; lane < 32; ++lane) {
      const auto index = static_cast<std::size_t>(lane);
      for (std::uint32_t k = 0; k < 4; ++k) words[index][k] = harness.word(kResult + k, lane);
      if ((harness.context.active >> lane & 1) == 0) continue;
      words[index][4] = static_cast<std::uint32_t>(harness.context.address()[index]);
    }
    return words;
  }

  /// Compares reads by every vector unit with reads lane by lane.
  void compare(const Shape& shape, const TextureResource& resource,
               const SamplerDescription& sampler, bool integer) {
    const std::uint64_t handle = unit_.create_texture(resource, sampler);
    const std::uint64_t second = unit_.create_texture(resource, sampler);
    const std::uint32_t words = shape.coordinates + (shape.has_layer ? 1 : 0);
    code::Instruction instruction =
        make_texture(shape.geometry, integer ? ValueType::s32 : ValueType::f32, words);
    if (random() % 4 == 0) instruction.destinations[random() % 4] = code::Operand{};
    for (const std::uint32_t mask :
         {0xffff'ffffU, 0x8001'0180U, static_cast<std::uint32_t>(random()) | 3}) {
      harness.reset();
      harness.context.active = mask;
      set_coordinates(shape, sampler.normalized_coordinates, integer);
      for (int lane = 0; lane < 32; ++lane) {
        harness.set<std::uint64_t>(kHandle, lane, lane % 3 == 0 ? handle : second);
      }
      const Words expected = read(instruction, vector_units().front());
      set_handle(handle);
      for (const VectorUnit& unit : vector_units()) {
        ASSERT_EQ(read(instruction, unit), expected)
            << unit.name << ", mask " << mask << ", linear "
            << (sampler.filter == FilterMode::linear);
      }
    }
  }

  SamplerDescription random_sampler(bool linear, bool normalized_float) {
    SamplerDescription sampler;
    for (AddressMode& mode : sampler.address_modes) mode = static_cast<AddressMode>(random() % 4);
    if (random() % 3 == 0) sampler.address_modes.fill(sampler.address_modes[0]);
    sampler.filter = linear ? FilterMode::linear : FilterMode::point;
    sampler.normalized_float = normalized_float;
    sampler.normalized_coordinates = random() % 2 == 0;
    for (float& colour : sampler.border) colour = random_float(-3, 3);
    return sampler;
  }
};

TEST_F(WarpReadTest, EqualsReadsLaneByLane) {
  const std::vector<Shape> shapes{
      {TextureGeometry::d1, {.width = 9}, 1},
      {TextureGeometry::d2, {.width = 13, .height = 7}, 2},
      {TextureGeometry::d2, {.width = 64, .height = 32}, 2},
      {TextureGeometry::d3, {.width = 5, .height = 6, .depth = 7}, 3},
      {TextureGeometry::d1_array, {.width = 9, .layers = 3}, 1, true},
      {TextureGeometry::d2_array, {.width = 8, .height = 5, .layers = 3}, 2, true}};
  for (const Shape& shape : shapes) {
    for (const ChannelKind kind :
         {ChannelKind::floating, ChannelKind::unsigned_integer, ChannelKind::signed_integer}) {
      for (const std::uint8_t bits : {std::uint8_t{8}, std::uint8_t{16}, std::uint8_t{32}}) {
        if (kind == ChannelKind::floating && bits == 8) continue;
        for (const std::uint8_t channels : {std::uint8_t{1}, std::uint8_t{2}, std::uint8_t{4}}) {
          ArrayStorage array(memory, shape.array, {kind, bits, channels});
          fill(array);
          const bool may_be_fraction = kind == ChannelKind::floating || bits != 32;
          for (int round = 0; round < 6; ++round) {
            const bool fraction = may_be_fraction && round % 2 == 0;
            const bool linear = (fraction || kind == ChannelKind::floating) && round % 3 != 2;
            SamplerDescription sampler = random_sampler(linear, fraction);
            sampler.srgb = round == 4;
            compare(shape, ArrayResource{&array}, sampler, round == 5);
          }
        }
      }
    }
  }
}

TEST_F(WarpReadTest, SkipsTexelsOfWeightZero) {
  // Infinite texels, which would turn sums into NaN if they were multiplied by 0.
  const Shape shape{TextureGeometry::d2, {.width = 4, .height = 4}, 2};
  ArrayStorage array(memory, shape.array, kFloat1);
  for (std::uint32_t y = 0; y < 4; ++y) {
    std::array<float, 4> row{1, 2, 3, 4};
    if (y % 2 == 1) row.fill(std::numeric_limits<float>::infinity());
    array.write_row(std::as_bytes(std::span(row)), 0, y);
  }
  SamplerDescription sampler;
  sampler.filter = FilterMode::linear;
  for (int round = 0; round < 20; ++round) compare(shape, ArrayResource{&array}, sampler, false);
}

TEST_F(WarpReadTest, ReadsZerosOutsideOfBuffer) {
  const std::uint64_t buffer = allocate_random(400);
  const Shape shape{TextureGeometry::d1, {.width = 100}, 1};
  for (int round = 0; round < 20; ++round) {
    compare(shape, LinearResource{buffer, 400, kInt1}, random_sampler(false, false), true);
    compare(shape, LinearResource{buffer, 400, kBytes4}, random_sampler(false, round % 2 == 0),
            true);
  }
}

TEST_F(WarpReadTest, ReadsRowsOfPitchedMemory) {
  const std::uint64_t buffer = allocate_random(64 * 10);
  const Shape shape{TextureGeometry::d2, {.width = 13, .height = 10}, 2};
  for (int round = 0; round < 20; ++round) {
    compare(shape, PitchedResource{buffer, 13, 10, 64, kBytes4},
            random_sampler(round % 2 == 0, true), false);
  }
}

}  // namespace
}  // namespace heddle::exec::test
