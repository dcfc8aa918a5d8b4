#pragma once

#include <cstddef>
#include <cstdint>

#include "base/enum_array.h"

namespace heddle::sm {

/// The resources for which ready warps contend: arithmetic units, and queues to memory. `none` is
/// for instructions that need none of these.
enum class Resource : std::uint8_t {
  integer,
  fp32,
  fp64,
  special,
  global,
  shared,
  constant,
  texture,
  none,
};
inline constexpr std::size_t kResources = values_up_to(Resource::none);

template <class Value>
using ByResource = EnumArray<Resource, Value, kResources>;

}  // namespace heddle::sm
