#pragma once

#include <cstddef>
#include <cstdint>

#include "sm/stall_cause.h"

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

/// Why a warp waits that finds no room there.
constexpr StallCause throttle_of(Resource resource) {
  switch (resource) {
    case Resource::global:
      return StallCause::lg_throttle;
    case Resource::shared:
    case Resource::constant:
    case Resource::texture:
      return StallCause::mio_throttle;
    default:
      return StallCause::math_pipe_throttle;
  }
}

}  // namespace heddle::sm
