#pragma once

// Colours in the pixel format of Picture.

#include <algorithm>
#include <cstdint>

namespace heddle {

/// An opaque colour. Each channel is from 0 to 255.
constexpr std::uint32_t rgb(std::uint32_t red, std::uint32_t green, std::uint32_t blue) {
  return red | green << 8 | blue << 16 | 0xff000000u;
}

/// A grey: 0 is black, 1 is white. Values outside of this range are clamped to it.
constexpr std::uint32_t grey(double value) {
  const auto level = static_cast<std::uint32_t>(std::clamp(value, 0.0, 1.0) * 255.0 + 0.5);
  return rgb(level, level, level);
}

/// A heat map's colour: black, blue, red, yellow and white for 0 (cold) to 1 (hot). Values outside
/// of this range are clamped to it.
constexpr std::uint32_t heat(double value) {
  const double v = std::clamp(value, 0.0, 1.0) * 4;
  const auto ramp = [](double x) {
    return static_cast<std::uint32_t>(std::clamp(x, 0.0, 1.0) * 255.0 + 0.5);
  };
  return rgb(ramp(v - 1), ramp(v - 2), v < 2 ? ramp(v < 1 ? v : 2 - v) : ramp(v - 3));
}

}  // namespace heddle
