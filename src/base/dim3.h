#pragma once

#include <cstdint>
#include <string>

namespace heddle {

/// The extent of a grid or a block, or a position in one.
struct Dim3 {
  std::uint32_t x = 1;
  std::uint32_t y = 1;
  std::uint32_t z = 1;

  constexpr std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  friend constexpr bool operator==(const Dim3&, const Dim3&) = default;
};

/// The position of element `index` of `extent`, counted from 0. x varies fastest, then y.
constexpr Dim3 position_in(const Dim3& extent, std::uint64_t index) {
  return {.x = static_cast<std::uint32_t>(index % extent.x),
          .y = static_cast<std::uint32_t>(index / extent.x % extent.y),
          .z = static_cast<std::uint32_t>(index / extent.x / extent.y)};
}

/// "256", "16x16" or "8x8x8": trailing dimensions of 1 are left out.
std::string to_text(const Dim3& extent);

}  // namespace heddle
