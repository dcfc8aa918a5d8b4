#include "exec/texture/array_storage.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

#include "base/error.h"
#include "base/half_model.h"

namespace heddle::exec {
namespace {

TEST(ChannelFormat, ReadsEveryFormat) {
  std::mt19937 random(1);
  for (const ChannelKind kind :
       {ChannelKind::signed_integer, ChannelKind::unsigned_integer, ChannelKind::floating}) {
    for (const int bits : {8, 16, 32}) {
      if (kind == ChannelKind::floating && bits == 8) continue;
      for (const int channels : {1, 2, 4}) {
        const ChannelFormat format{kind, static_cast<std::uint8_t>(bits),
                                   static_cast<std::uint8_t>(channels)};
        EXPECT_NO_THROW(format.check());
        for (int round = 0; round < 200; ++round) {
          std::array<std::uint8_t, 16> bytes{};
          for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
          const auto* texel = reinterpret_cast<const std::byte*>(bytes.data());
          const RawTexel raw = read_raw(format, texel);
          const FloatTexel numbers = read_float(format, texel, false);
          for (int c = 0; c < 4; ++c) {
            const auto i = static_cast<std::size_t>(c);
            if (c >= channels) {
              EXPECT_EQ(numbers[i], 0.0F);
              EXPECT_EQ(raw[i], 0U);
              continue;
            }
            std::int64_t value = 0;
            for (int b = bits / 8 - 1; b >= 0; --b) {
              value = value * 256 + bytes[static_cast<std::size_t>(c * bits / 8 + b)];
            }
            if (kind == ChannelKind::floating) {
              double expected = 0;
              if (bits == 16) {
                expected = half_value(static_cast<std::uint16_t>(value));
              } else {
                float f = 0;
                const auto word = static_cast<std::uint32_t>(value);
                std::memcpy(&f, &word, 4);
                expected = static_cast<double>(f);
              }
              if (std::isnan(expected)) {
                EXPECT_TRUE(std::isnan(numbers[i]));
              } else {
                EXPECT_EQ(static_cast<double>(numbers[i]), expected);
                EXPECT_EQ(static_cast<double>(std::bit_cast<float>(raw[i])), expected);
              }
              continue;
            }
            const std::int64_t range = std::int64_t{1} << bits;
            if (kind == ChannelKind::signed_integer && value >= range / 2) value -= range;
            EXPECT_EQ(raw[i], static_cast<std::uint32_t>(value));
            if (bits == 32) continue;
            const double most = static_cast<double>(
                kind == ChannelKind::signed_integer ? range / 2 - 1 : range - 1);
            EXPECT_EQ(numbers[i],
                      static_cast<float>(std::max(-1.0, static_cast<double>(value) / most)));
          }
        }
      }
    }
  }
}

TEST(ChannelFormat, DecodesSrgbExceptAlpha) {
  const ChannelFormat format{ChannelKind::unsigned_integer, 8, 4};
  const std::array<std::byte, 4> texel{std::byte{0}, std::byte{255}, std::byte{188},
                                       std::byte{188}};
  const FloatTexel linear = read_float(format, texel.data(), true);
  EXPECT_EQ(linear[0], 0.0F);
  EXPECT_EQ(linear[1], 1.0F);
  EXPECT_NEAR(linear[2], 0.5F, 0.005F);
  EXPECT_EQ(linear[3], 188 / 255.0F);
}

TEST(ChannelFormat, FormattedWritesSaturateIntegersAndRoundFloats) {
  std::array<std::byte, 16> texel{};
  const RawTexel values{300, 0xffffff00U, 5, 0x80000000U};
  write_formatted({ChannelKind::unsigned_integer, 8, 4}, values, texel.data());
  EXPECT_EQ(texel[0], std::byte{255});
  EXPECT_EQ(texel[1], std::byte{255});
  EXPECT_EQ(texel[2], std::byte{5});
  write_formatted({ChannelKind::signed_integer, 8, 4}, values, texel.data());
  EXPECT_EQ(texel[0], std::byte{127});
  EXPECT_EQ(texel[1], std::byte{0x80});
  EXPECT_EQ(texel[2], std::byte{5});
  EXPECT_EQ(texel[3], std::byte{0x80});
  std::mt19937 random(2);
  for (int i = 0; i < 20000; ++i) {
    const float value = std::ldexp(static_cast<float>(static_cast<int>(random() % 20001) - 10000),
                                   static_cast<int>(random() % 40) - 35);
    write_formatted({ChannelKind::floating, 16, 1}, {std::bit_cast<std::uint32_t>(value), 0, 0, 0},
                    texel.data());
    std::uint16_t half = 0;
    std::memcpy(&half, texel.data(), 2);
    ASSERT_EQ(half, nearest_half(static_cast<double>(value))) << value;
  }
}

TEST(ChannelFormat, RejectsInvalidFormats) {
  EXPECT_THROW((ChannelFormat{ChannelKind::floating, 8, 1}).check(), InputError);
  EXPECT_THROW((ChannelFormat{ChannelKind::signed_integer, 32, 3}).check(), InputError);
  EXPECT_THROW((ChannelFormat{ChannelKind::signed_integer, 12, 1}).check(), InputError);
}

TEST(ArrayStorage, AccessesRowsIndependently) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
  const ChannelFormat format{ChannelKind::unsigned_integer, 16, 2};
  for (const ArrayShape& shape :
       {ArrayShape{.width = 5}, ArrayShape{.width = 7, .height = 3},
        ArrayShape{.width = 4, .height = 3, .depth = 2}, ArrayShape{.width = 9, .layers = 4},
        ArrayShape{.width = 8, .height = 8, .layers = 6, .cube = true},
        ArrayShape{.width = 8, .height = 4, .levels = 4}}) {
    ArrayStorage array(memory, shape, format);
    std::uint8_t mark = 0;
    for (const bool reads : {false, true}) {
      mark = 0;
      for (std::uint32_t level = 0; level < shape.levels; ++level) {
        for (std::uint32_t slice = 0; slice < array.slices(level); ++slice) {
          for (std::uint32_t y = 0; y < array.level(level).height; ++y) {
            std::vector<std::byte> row(array.row_bytes(level), static_cast<std::byte>(++mark));
            if (!reads) {
              array.write_row(row, 0, y, slice, level);
            } else {
              std::vector<std::byte> out(row.size());
              array.read_row(out, 0, y, slice, level);
              EXPECT_EQ(out, row);
            }
          }
        }
      }
    }
    std::vector<std::byte> two(2);
    EXPECT_NO_THROW(array.read_row(two, array.row_bytes() - 2));
    EXPECT_THROW(array.read_row(two, array.row_bytes() - 1), InputError);
    EXPECT_THROW(array.read_row(two, 0, std::max(shape.height, 1U)), InputError);
    EXPECT_THROW(array.read_row(two, 0, 0, array.slices()), InputError);
    EXPECT_THROW(array.read_row(two, 0, 0, 0, shape.levels), InputError);
  }
  EXPECT_EQ(memory.used(), 0U);
}

TEST(ArrayStorage, RejectsInvalidShapes) {
  GlobalMemory memory({.capacity = std::uint64_t{1} << 24});
  const ChannelFormat format;
  for (const ArrayShape& shape :
       {ArrayShape{.width = 0}, ArrayShape{.width = 8, .height = 0, .depth = 8},
        ArrayShape{.width = 8, .height = 8, .depth = 2, .layers = 2},
        ArrayShape{.width = 8, .height = 4, .layers = 6, .cube = true},
        ArrayShape{.width = 8, .height = 8, .layers = 5, .cube = true},
        ArrayShape{.width = 8, .height = 8, .levels = 5},
        ArrayShape{.width = 8, .height = 8, .levels = 0}, ArrayShape{.width = 1 << 20},
        ArrayShape{.width = 8, .layers = 4096}}) {
    EXPECT_THROW(ArrayStorage(memory, shape, format), InputError);
  }
}

}  // namespace
}  // namespace heddle::exec
