#pragma once

// Reading texels, and their conversion to the values that a texture read returns, as in
// exec/texture/channel_format.h.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "exec/lanes/lanes.h"
#include "exec/lanes/memory_elements.h"
#include "exec/lanes/texture_places.h"

namespace heddle::exec::HEDDLE_LANES {

/// The words that contain channels of texels, by channel.
struct RawTexels {
  LaneBits words[4];
  unsigned shift[4];  ///< The position of a channel in its word.
};

template <class T>
[[gnu::always_inline]] inline void read_words(const std::byte* host, const LaneOffsets& offsets,
                                              LaneBits& words) {
  const auto base = reinterpret_cast<std::uintptr_t>(host);
  for_all_lanes([&](int lane) __attribute__((always_inline)) {
    words.by_lane[lane] = read_host<T>(base + offsets.by_lane[lane]);
  });
}

/// Reads the channels whose bits are set in `needed`. A missing channel is 0.
inline void read_texels(const ChannelFormat& format, const std::byte* host,
                        const LaneOffsets& offsets, unsigned needed, RawTexels& out) {
  // A texel of several channels in one word is read once.
  const bool in_one_word = format.channels > 1 && format.bits * format.channels == 32;
  if (in_one_word) read_words<std::uint32_t>(host, offsets, out.words[0]);
  for (unsigned c = 0; c < 4; ++c) {
    if ((needed >> c & 1) == 0) continue;
    out.shift[c] = 0;
    if (c >= format.channels) {
      out.words[c] = {};
    } else if (in_one_word) {
      if (c > 0) out.words[c] = out.words[0];
      out.shift[c] = c * format.bits;
    } else if (format.bits == 32) {
      read_words<std::uint32_t>(host + c * 4, offsets, out.words[c]);
    } else if (format.bits == 16) {
      read_words<std::uint16_t>(host + c * 2, offsets, out.words[c]);
    } else {
      read_words<std::uint8_t>(host + c, offsets, out.words[c]);
    }
  }
}

/// A channel that is returned as the bits in the texel. `T` is its type.
template <class T>
struct RawChannel {
  [[gnu::always_inline]] static std::uint32_t word(std::uint32_t bits) {
    return static_cast<std::uint32_t>(static_cast<T>(bits));
  }
};

/// An integer channel of type T that is mapped to [0, 1] or, if it is signed, [-1, 1].
template <class T>
struct FractionChannel {
  [[gnu::always_inline]] static std::uint32_t word(std::uint32_t bits) {
    constexpr auto kLargest = static_cast<float>(std::numeric_limits<T>::max());
    // An int32, because every vector unit converts numbers of that type.
    const auto number = static_cast<float>(static_cast<std::int32_t>(static_cast<T>(bits)));
    const float value = number / kLargest;
    return __builtin_bit_cast(std::uint32_t, value > -1.0F ? value : -1.0F);
  }
};

/// Calls use(channel), where `channel` is an object of the type that converts the format's channels
/// to words.
template <class Use>
[[gnu::always_inline]] inline void with_channel(const TextureView& view, Use use) {
  const bool is_signed = view.format.kind == ChannelKind::signed_integer;
  if (view.format.bits == 32) return use(RawChannel<std::uint32_t>{});
  if (view.gives_floats) {
    if (view.format.bits == 8) {
      return is_signed ? use(FractionChannel<std::int8_t>{}) : use(FractionChannel<std::uint8_t>{});
    }
    return is_signed ? use(FractionChannel<std::int16_t>{}) : use(FractionChannel<std::uint16_t>{});
  }
  if (view.format.bits == 8) {
    return is_signed ? use(RawChannel<std::int8_t>{}) : use(RawChannel<std::uint8_t>{});
  }
  return is_signed ? use(RawChannel<std::int16_t>{}) : use(RawChannel<std::uint16_t>{});
}

/// Converts one channel of unfiltered texels. Texels with ones in `outside` have the value
/// `border`.
template <class Channel>
[[gnu::always_inline]] inline void convert_channel(const LaneBits& words, unsigned shift,
                                                   const LaneBits& outside, std::uint32_t border,
                                                   LaneBits& out) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint32_t word = Channel::word(words.by_lane[lane] >> shift);
    const std::uint32_t mask = outside.by_lane[lane];
    out.by_lane[lane] = (word & ~mask) | (border & mask);
  }
}

/// Adds weight * value to the sums, for one channel of the texels at one corner of a filter. If
/// kRounds, values are rounded to multiples of 1/65535, and the sums are in this unit.
template <class Channel, bool kRounds>
[[gnu::always_inline]] inline void add_channel(const LaneBits& words, unsigned shift,
                                               const LaneBits& outside, std::uint32_t border,
                                               const LaneDoubles& weights, LaneDoubles& sums) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint32_t word = Channel::word(words.by_lane[lane] >> shift);
    const std::uint32_t mask = outside.by_lane[lane];
    const float texel = __builtin_bit_cast(float, (word & ~mask) | (border & mask));
    const auto value = static_cast<double>(texel);
    const double rounded = kRounds ? __builtin_floor(value * 65535 + 0.5) : value;
    const double weight = weights.by_lane[lane];
    // A texel of weight 0 must not affect the sum even if it is infinite.
    sums.by_lane[lane] += weight * (weight == 0 ? 0 : rounded);
  }
}

/// Converts the sums of filtered channels to floats.
template <bool kRounds>
[[gnu::always_inline]] inline void convert_sums(const LaneDoubles& sums, LaneBits& out) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const double sum = sums.by_lane[lane];
    const double value = kRounds ? __builtin_floor(sum + 0.5) / 65535 : sum;
    put(out.by_lane, lane, static_cast<float>(value));
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
