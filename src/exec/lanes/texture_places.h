#pragma once

// The places in an image at which the lanes of a warp read a texture. The computation is that of
// exec::Sampler (exec/texture/sampler.h), bit by bit, in loops over the lanes. Every coordinate
// gives a texel inside of the image, even that of an inactive lane, so that loads need no masks.

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
  LaneIntegers index[2];
  /// All ones for a texel outside of the image, whose index is then the nearest one inside. Only
  /// for the mode `border`.
  LaneBits outside[2];
  LaneIntegers weight;  ///< The weight of the second texel, in units of 1/256.
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

/// Converts coordinates to texels, minus `shift`, and limits the result to [-2^52, 2^52].
template <bool kNormalized>
[[gnu::always_inline]] inline void find_places(const std::uint32_t* coordinates,
                                               std::uint32_t extent, double shift,
                                               LaneDoubles& places) {
  constexpr double kLimit = 0x1p52;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const auto coordinate = static_cast<double>(get<float>(coordinates, lane));
    const double number = coordinate == coordinate ? coordinate : 0;
    const double place = (kNormalized ? normalized_place(number, extent) : number) - shift;
    const double not_above = place < kLimit ? place : kLimit;
    places.by_lane[lane] = not_above > -kLimit ? not_above : -kLimit;
  }
}

/// The remainder of a division that rounds down. `value` is an integer of at most 2^52 + 1.
[[gnu::always_inline]] inline double modulo(double value, double divisor) {
  // The rounded quotient may be wrong by one. The product and the difference are exact.
  const double remainder = value - floor_of(value / divisor) * divisor;
  const double not_negative = remainder < 0 ? remainder + divisor : remainder;
  return not_negative >= divisor ? not_negative - divisor : not_negative;
}

/// Applies an address mode to floors.by_lane[lane] + step.
template <AddressMode kMode>
[[gnu::always_inline]] inline void apply_mode(const LaneDoubles& floors, double step,
                                              std::uint32_t extent, LaneIntegers& index,
                                              LaneBits& outside) {
  const auto size = static_cast<double>(extent);
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const double value = floors.by_lane[lane] + step;
    double texel = 0;
    if constexpr (kMode == AddressMode::wrap) {
      texel = modulo(value, size);
    } else if constexpr (kMode == AddressMode::mirror) {
      const double place = modulo(value, 2 * size);
      texel = place < size ? place : 2 * size - 1 - place;
    } else {
      const double not_below = value > 0 ? value : 0;
      texel = not_below < size - 1 ? not_below : size - 1;
      if constexpr (kMode == AddressMode::border) {
        outside.by_lane[lane] = texel == value ? 0 : kAllLanes;
      }
    }
    index.by_lane[lane] = static_cast<std::int32_t>(texel);
  }
}

inline void apply_mode(AddressMode mode, const LaneDoubles& floors, double step,
                       std::uint32_t extent, LaneIntegers& index, LaneBits& outside) {
  switch (mode) {
    case AddressMode::wrap:
      return apply_mode<AddressMode::wrap>(floors, step, extent, index, outside);
    case AddressMode::mirror:
      return apply_mode<AddressMode::mirror>(floors, step, extent, index, outside);
    case AddressMode::clamp:
      return apply_mode<AddressMode::clamp>(floors, step, extent, index, outside);
    case AddressMode::border:
      return apply_mode<AddressMode::border>(floors, step, extent, index, outside);
  }
}

/// Finds the texels for float coordinates in dimension `d`.
inline void find_span(const std::uint32_t* coordinates, const TextureView& view, int d,
                      Span& span) {
  const std::uint32_t extent = view.extents[static_cast<std::size_t>(d)];
  const AddressMode mode = view.modes[static_cast<std::size_t>(d)];
  const double shift = view.linear ? 0.5 : 0;
  LaneDoubles places;
  if (view.normalized) {
    find_places<true>(coordinates, extent, shift, places);
  } else {
    find_places<false>(coordinates, extent, shift, places);
  }
  LaneDoubles floors;
  if (view.linear) {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      const double place = places.by_lane[lane];
      floors.by_lane[lane] = floor_of(place);
      // The sum is not negative, so truncation rounds downwards.
      span.weight.by_lane[lane] =
          static_cast<std::int32_t>((place - floors.by_lane[lane]) * 256 + 0.5);
    }
    apply_mode(mode, floors, 1, extent, span.index[1], span.outside[1]);
  } else {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) floors.by_lane[lane] = floor_of(places.by_lane[lane]);
  }
  apply_mode(mode, floors, 0, extent, span.index[0], span.outside[0]);
}

/// Finds the texels for integer coordinates, which are clamped.
inline void find_texels(const std::uint32_t* coordinates, std::uint32_t extent, Span& span) {
  const auto last = static_cast<std::int32_t>(extent - 1);
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const auto value = get<std::int32_t>(coordinates, lane);
    const std::int32_t not_below = value > 0 ? value : 0;
    const std::int32_t texel = not_below < last ? not_below : last;
    span.index[0].by_lane[lane] = texel;
    span.outside[0].by_lane[lane] = texel == value ? 0 : kAllLanes;
  }
}

/// Adds index * stride to the offsets.
[[gnu::always_inline]] inline void add_offsets(const LaneIntegers& index, std::uint32_t stride,
                                               LaneOffsets& offsets) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    offsets.by_lane[lane] +=
        std::uint64_t{static_cast<std::uint32_t>(index.by_lane[lane])} * stride;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
