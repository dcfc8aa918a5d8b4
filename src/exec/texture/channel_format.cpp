#include "exec/texture/channel_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <string_view>

#include "base/error.h"
#include "base/half.h"

namespace heddle::exec {
namespace {

/// The channel's value as in a RawTexel.
std::uint32_t read_channel(const ChannelFormat& format, const std::byte* texel, unsigned channel) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, texel + std::size_t{channel} * format.channel_bytes(), format.channel_bytes());
  if (format.kind == ChannelKind::floating) {
    return format.bits == 32
               ? bits
               : std::bit_cast<std::uint32_t>(float_of_half(static_cast<std::uint16_t>(bits)));
  }
  if (format.kind == ChannelKind::signed_integer) {
    if (format.bits == 8) return static_cast<std::uint32_t>(static_cast<std::int8_t>(bits));
    if (format.bits == 16) return static_cast<std::uint32_t>(static_cast<std::int16_t>(bits));
  }
  return bits;
}

/// The linear intensity of an 8-bit sRGB value (IEC 61966-2-1).
float linear_of_srgb(std::uint32_t value) {
  static const std::array<float, 256> table = [] {
    std::array<float, 256> out{};
    for (unsigned i = 0; i < out.size(); ++i) {
      const double c = i / 255.0;
      out[i] = static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return out;
  }();
  return table[value & 0xff];
}

/// Maps the value of an integer channel of 8 or 16 bits to [0, 1] or, if it is signed, [-1, 1].
float normalized(const ChannelFormat& format, std::uint32_t bits) {
  if (format.kind == ChannelKind::unsigned_integer) {
    return static_cast<float>(bits) / (format.bits == 8 ? 255.0F : 65535.0F);
  }
  const auto value = static_cast<float>(static_cast<std::int32_t>(bits));
  return std::max(-1.0F, value / (format.bits == 8 ? 127.0F : 32767.0F));
}

}  // namespace

void ChannelFormat::check() const {
  const bool has_valid_count = channels == 1 || channels == 2 || channels == 4;
  const bool has_valid_size =
      bits == 16 || bits == 32 || (bits == 8 && kind != ChannelKind::floating);
  if (!has_valid_count || !has_valid_size) {
    throw InputError(fmt::format("invalid texel format: {}", name()));
  }
}

std::string ChannelFormat::name() const {
  std::string_view kind_name = "floating-point";
  if (kind == ChannelKind::signed_integer) kind_name = "signed";
  if (kind == ChannelKind::unsigned_integer) kind_name = "unsigned";
  return fmt::format("{} x {}-bit {}", channels, bits, kind_name);
}

RawTexel read_raw(const ChannelFormat& format, const std::byte* texel) {
  RawTexel out{};
  if (format.bits == 32) {
    for (unsigned c = 0; c < format.channels; ++c)
      std::memcpy(&out[c], texel + std::size_t{4} * c, 4);
    return out;
  }
  for (unsigned c = 0; c < format.channels; ++c) out[c] = read_channel(format, texel, c);
  return out;
}

FloatTexel read_float(const ChannelFormat& format, const std::byte* texel, bool srgb) {
  FloatTexel out{};
  if (format.kind == ChannelKind::floating && format.bits == 32) {
    for (unsigned c = 0; c < format.channels; ++c)
      std::memcpy(&out[c], texel + std::size_t{4} * c, 4);
    return out;
  }
  for (unsigned c = 0; c < format.channels; ++c) {
    const std::uint32_t bits = read_channel(format, texel, c);
    if (format.kind == ChannelKind::floating) {
      out[c] = std::bit_cast<float>(bits);
    } else if (srgb && c < 3 && format.bits == 8 && format.kind == ChannelKind::unsigned_integer) {
      out[c] = linear_of_srgb(bits);
    } else {
      out[c] = normalized(format, bits);
    }
  }
  return out;
}

void write_formatted(const ChannelFormat& format, const RawTexel& values, std::byte* texel) {
  for (unsigned c = 0; c < format.channels; ++c) {
    std::uint32_t bits = values[c];
    if (format.bits < 32) {
      const std::int32_t highest = (1 << (format.bits - 1)) - 1;
      switch (format.kind) {
        case ChannelKind::floating:
          bits = half_of_float(std::bit_cast<float>(bits));
          break;
        case ChannelKind::unsigned_integer:
          bits = std::min(bits, (std::uint32_t{1} << format.bits) - 1);
          break;
        case ChannelKind::signed_integer:
          bits = static_cast<std::uint32_t>(
              std::clamp(static_cast<std::int32_t>(bits), -highest - 1, highest));
          break;
      }
    }
    std::memcpy(texel + std::size_t{c} * format.channel_bytes(), &bits, format.channel_bytes());
  }
}

}  // namespace heddle::exec
