#pragma once

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "exec/memory/memory_fixture.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec::test {

inline constexpr ChannelFormat kFloat1{ChannelKind::floating, 32, 1};
inline constexpr ChannelFormat kFloat4{ChannelKind::floating, 32, 4};
inline constexpr ChannelFormat kBytes4{ChannelKind::unsigned_integer, 8, 4};
inline constexpr ChannelFormat kInt1{ChannelKind::signed_integer, 32, 1};

/// A warp with a texture unit. Each lane has its own coordinates, in the registers from 2 on.
class TextureTest : public MemoryTest {
 protected:
  static constexpr std::uint32_t kHandle = 0;
  static constexpr std::uint32_t kCoordinates = 2;
  static constexpr std::uint32_t kResult = 20;

  TextureTest() : unit_(memory) { harness.context.memory.textures = &unit_; }

  /// A texture instruction with `words` coordinate registers after the handle.
  code::Instruction make_texture(code::TextureGeometry geometry, ValueType coordinates,
                                 std::uint32_t words, ValueType type = ValueType::f32) {
    code::Instruction instruction;
    instruction.operation = code::Operation::texture;
    instruction.geometry = geometry;
    instruction.source_type = coordinates;
    instruction.type = type;
    instruction.vector_count = 4;
    instruction.sources.push_back(code::Operand::reg(kHandle, 2));
    for (std::uint32_t i = 0; i < words; ++i) {
      instruction.sources.push_back(code::Operand::reg(kCoordinates + i));
    }
    for (std::uint32_t i = 0; i < 4; ++i) {
      instruction.destinations.push_back(code::Operand::reg(kResult + i));
    }
    return instruction;
  }

  void set_handle(std::uint64_t handle) {
    for (int lane = 0; lane < 32; ++lane) harness.set<std::uint64_t>(kHandle, lane, handle);
  }
  template <class T>
  void set_coordinate(std::uint32_t number, int lane, T value) {
    harness.set<T>(kCoordinates + number, lane, value);
  }
  float result(int lane, std::uint32_t component = 0) const {
    return harness.get<float>(kResult + component, lane);
  }
  float random_float(float low, float high) {
    return low + (high - low) * static_cast<float>(random() % 100000) / 100000;
  }

  /// Fills a level with random texels. Returns them in the order slice, row, texel, channel.
  std::vector<std::byte> fill(ArrayStorage& array, std::uint32_t level = 0) {
    const std::uint64_t row = array.row_bytes(level);
    std::vector<std::byte> all;
    for (std::uint32_t slice = 0; slice < array.slices(level); ++slice) {
      for (std::uint32_t y = 0; y < array.level(level).height; ++y) {
        std::vector<std::byte> bytes(row);
        if (array.format().kind == ChannelKind::floating) {
          for (std::size_t i = 0; i + 4 <= row; i += 4) {
            const float value = random_float(-4, 4);
            std::memcpy(&bytes[i], &value, 4);
          }
        } else {
          for (std::byte& byte : bytes) byte = random_byte();
        }
        array.write_row(bytes, 0, y, slice, level);
        all.insert(all.end(), bytes.begin(), bytes.end());
      }
    }
    return all;
  }

  TextureUnit unit_;
};

}  // namespace heddle::exec::test
