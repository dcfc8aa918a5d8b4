#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::exec {

enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };

/// What one texel is made of: 1, 2 or 4 channels of 8, 16 or 32 bits; floating ones of 16 or 32.
struct ChannelFormat {
  ChannelKind kind = ChannelKind::floating;
  std::uint8_t bits = 32;
  std::uint8_t channels = 1;

  std::uint32_t channel_bytes() const { return bits / 8U; }
  std::uint32_t texel_bytes() const { return channel_bytes() * channels; }
  /// Throws InputError where there is no such format.
  void check() const;
  std::string name() const;  ///< As in "4 x 8-bit unsigned".
  friend bool operator==(const ChannelFormat&, const ChannelFormat&) = default;
};

/// Integers extended to 32 bits, floating-point numbers as the bits of a float. Channels that the
/// format lacks are 0, the fourth too (measured on an H100).
using RawTexel = std::array<std::uint32_t, 4>;
RawTexel read_raw(const ChannelFormat& format, const std::byte* texel);

/// The texel as numbers: floating-point channels as they are, integers of 8 and 16 bits mapped to
/// [0, 1] or [-1, 1]. With `srgb`, the first three channels are decoded from sRGB.
using FloatTexel = std::array<float, 4>;
FloatTexel read_float(const ChannelFormat& format, const std::byte* texel, bool srgb);

/// Writes values of 32 bits each as the format's: integers saturate, floats are rounded.
void write_formatted(const ChannelFormat& format, const RawTexel& values, std::byte* texel);

}  // namespace heddle::exec
