#pragma once

// The places in an image at which the lanes of a warp read a texture. The computation is that of
// exec::Sampler (exec/texture/sampler.h), bit by bit, in loops over the lanes. Every coordinate
// gives a texel inside of the image, even that of an inactive lane, so that loads need no masks.

#include <cstddef>
#include <cstdint>

#include "exec/lanes/lanes.h"
#include "exec/texture/sampler.h"
#include "exec/texture/texture_view.h"

namespace heddle::exec::HEDDLE_LANES {

struct LaneDoubles {
  alignas(64) double by_lane[32];
};
struct LaneIntegers {
  alignas(64) std::int32_t by_lane[32];
};
struct LaneOffsets {
  alignas(64) std::uint64_t by_lane[32];
};

/// The texels, in one dimension, that a filter reads: one, or two with linear filtering.
struct Span {
  LaneOffsets offset[2];  ///< Index times stride.
  /// All ones for a texel outside of the image; its offset is then that of the nearest texel
  /// inside. Only for the mode `border`.
  LaneBits outside[2];
  LaneIntegers weight;  ///< The weight of the second texel, in units of 1/256.
};

/// The extent of an image in one dimension, and the distance in bytes between texels.
struct Extent {
  double size;
  std::uint32_t stride;
};

/// The largest integer not above `value`, whose magnitude is at most 2^52.
[[gnu::always_inline]] inline double floor_of(double value) {
#if defined(__SSE4_1__) || defined(__aarch64__)
  return __builtin_floor(value);
#else
  const auto towards_zero = static_cast<double>(static_cast<std::int64_t>(value));
  return towards_zero - (towards_zero > value ? 1.0 : 0.0);
#endif
}

/// The remainder of a division that rounds down. `value` is an integer of at most 2^52 + 1.
[[gnu::always_inline]] inline double modulo(double value, double divisor) {
  // The rounded quotient may be wrong by one. The product and the difference are exact.
  const double remainder = value - floor_of(value / divisor) * divisor;
  const double not_negative = remainder < 0 ? remainder + divisor : remainder;
  return not_negative >= divisor ? not_negative - divisor : not_negative;
}

/// Whether a mode repeats the image.
constexpr bool repeats(AddressMode mode) {
  return mode == AddressMode::wrap || mode == AddressMode::mirror;
}
/// The number of indices after which the image repeats.
template <AddressMode kMode>
[[gnu::always_inline]] inline double period_of(double size) {
  return kMode == AddressMode::mirror ? 2 * size : size;
}
/// Applies an address mode to an index. If the mode repeats the image, the index is from 0 to the
/// period, exclusive.
template <AddressMode kMode>
[[gnu::always_inline]] inline double texel_of(double index, double size) {
  if constexpr (kMode == AddressMode::wrap) {
    return index;
  } else if constexpr (kMode == AddressMode::mirror) {
    return index < size ? index : 2 * size - 1 - index;
  } else {
    const double not_below = index > 0 ? index : 0;
    return not_below < size - 1 ? not_below : size - 1;
  }
}

/// The distance of a texel, whose index is less than 2^31, from the first one.
[[gnu::always_inline]] inline std::uint64_t offset_of(double texel, std::uint32_t stride) {
  return std::uint64_t{static_cast<std::uint32_t>(static_cast<std::int32_t>(texel))} * stride;
}

/// Finds the texels for float coordinates in one dimension.
template <bool kNormalized, bool kLinear, AddressMode kMode>
void find_span(const std::uint32_t* coordinates, const Extent& extent, Span& span) {
  constexpr double kLimit = 0x1p52;
  const double size = extent.size;
  const std::uint32_t stride = extent.stride;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    double place = get<float>(coordinates, lane);
    if constexpr (kNormalized) place = normalized_place(place, size);
    if constexpr (!kLinear && kMode == AddressMode::clamp) {
      // Truncation rounds downwards, because the texel is not negative. NaN selects texel 0.
      span.offset[0].by_lane[lane] = offset_of(texel_of<kMode>(place, size), stride);
    } else {
      place = (place == place ? place : 0) - (kLinear ? 0.5 : 0);
      const double not_above = place < kLimit ? place : kLimit;
      const double limited = not_above > -kLimit ? not_above : -kLimit;
      const double floor = floor_of(limited);
      const double period = period_of<kMode>(size);
      const double first = repeats(kMode) ? modulo(floor, period) : floor;
      const double texel = texel_of<kMode>(first, size);
      span.offset[0].by_lane[lane] = offset_of(texel, stride);
      if constexpr (kMode == AddressMode::border) {
        span.outside[0].by_lane[lane] = texel == first ? 0 : kAllLanes;
      }
      if constexpr (kLinear) {
        const double after = first + 1;
        const double second = repeats(kMode) && after >= period ? 0 : after;
        const double next_texel = texel_of<kMode>(second, size);
        span.offset[1].by_lane[lane] = offset_of(next_texel, stride);
        if constexpr (kMode == AddressMode::border) {
          span.outside[1].by_lane[lane] = next_texel == second ? 0 : kAllLanes;
        }
        // The sum is not negative, so truncation rounds downwards.
        span.weight.by_lane[lane] = static_cast<std::int32_t>((limited - floor) * 256 + 0.5);
      }
    }
  }
}

template <bool kNormalized, bool kLinear>
void find_span(AddressMode mode, const std::uint32_t* coordinates, const Extent& extent,
               Span& span) {
  switch (mode) {
    case AddressMode::wrap:
      return find_span<kNormalized, kLinear, AddressMode::wrap>(coordinates, extent, span);
    case AddressMode::mirror:
      return find_span<kNormalized, kLinear, AddressMode::mirror>(coordinates, extent, span);
    case AddressMode::clamp:
      return find_span<kNormalized, kLinear, AddressMode::clamp>(coordinates, extent, span);
    case AddressMode::border:
      return find_span<kNormalized, kLinear, AddressMode::border>(coordinates, extent, span);
  }
}

/// As above, with the address mode of dimension `d` and the filter of the texture.
inline void find_span(const std::uint32_t* coordinates, const TextureView& view, std::size_t d,
                      const Extent& extent, Span& span) {
  const AddressMode mode = view.modes[d];
  if (view.normalized) {
    return view.linear ? find_span<true, true>(mode, coordinates, extent, span)
                       : find_span<true, false>(mode, coordinates, extent, span);
  }
  return view.linear ? find_span<false, true>(mode, coordinates, extent, span)
                     : find_span<false, false>(mode, coordinates, extent, span);
}

/// Finds the texels for integer coordinates, which are clamped to `count` texels.
inline void find_texels(const std::uint32_t* coordinates, std::uint32_t count, std::uint32_t stride,
                        Span& span) {
  const auto last = static_cast<std::int32_t>(count - 1);
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const auto value = get<std::int32_t>(coordinates, lane);
    const std::int32_t not_below = value > 0 ? value : 0;
    const std::int32_t texel = not_below < last ? not_below : last;
    span.offset[0].by_lane[lane] = std::uint64_t{static_cast<std::uint32_t>(texel)} * stride;
    span.outside[0].by_lane[lane] = texel == value ? 0 : kAllLanes;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
