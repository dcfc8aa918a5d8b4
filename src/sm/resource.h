#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::sm {

/// What warps contend for when they are otherwise ready.
enum class Resource : std::uint8_t {
  integer,
  fp32,
  fp64,
  special,
  global,
  shared,
  constant,
  texture,
  none
};
inline constexpr std::size_t kResources = 9;

}  // namespace heddle::sm
