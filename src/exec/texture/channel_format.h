#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace heddle::exec {

enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };

/// The format of a texel: 1, 2 or 4 channels of 8, 16 or 32 bits. Floating-point channels have 16
/// or 32 bits.
struct ChannelFormat {
  ChannelKind kind = ChannelKind::floating;
  std::uint8_t bits = 32;     ///< The size of a channel.
  std::uint8_t channels = 1;  ///< The number of channels.

  std::uint32_t channel_bytes() const { return bits / 8U; }
  std::uint32_t texel_bytes() const { return channel_bytes() * channels; }
  /// Throws InputError for an invalid format.
  void check() const;
  std::string name() const;  ///< As in "4 x 8-bit unsigned".
  friend bool operator==(const ChannelFormat&, const ChannelFormat&) = default;
};

/// A texel as four channels of 32 bits. Integers are extended to 32 bits, and floating-point
/// numbers are the bits of a float. Missing channels are 0, even the fourth (measured on an H100).
using RawTexel = std::array<std::uint32_t, 4>;
RawTexel read_raw(const ChannelFormat& format, const std::byte* texel);

/// A texel as four numbers. Floating-point channels are unchanged. Unsigned integers of 8 and 16
/// bits are mapped to [0, 1], signed ones to [-1, 1]. With `srgb`, the first three channels are
/// decoded from sRGB if they are unsigned integers of 8 bits.
using FloatTexel = std::array<float, 4>;
FloatTexel read_float(const ChannelFormat& format, const std::byte* texel, bool srgb);

/// Converts values of 32 bits each to the format, and writes them to `texel`. Integers saturate,
/// and floats are rounded.
void write_formatted(const ChannelFormat& format, const RawTexel& values, std::byte* texel);

}  // namespace heddle::exec
