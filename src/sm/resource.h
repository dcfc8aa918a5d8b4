#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/enum_array.h"
#include "sm/memory/memory_instruction.h"
#include "sm/units/unit_kind.h"

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
  none,
};
inline constexpr std::size_t kResources = values_up_to(Resource::none);

template <class Value>
using ByResource = EnumArray<Resource, Value, kResources>;

/// An arithmetic unit, and what those who wait for it contend for.
struct UnitResource {
  Resource resource;
  UnitKind unit;
};
inline constexpr std::array kUnitResources = {
    UnitResource{Resource::integer, UnitKind::integer},
    UnitResource{Resource::fp32, UnitKind::fp32},
    UnitResource{Resource::fp64, UnitKind::fp64},
    UnitResource{Resource::special, UnitKind::special},
};

/// A queue to memory, and the path that starts with it.
struct MemoryResource {
  Resource resource;
  MemoryPath path;
};
inline constexpr std::array kMemoryResources = {
    MemoryResource{Resource::global, MemoryPath::global},
    MemoryResource{Resource::shared, MemoryPath::shared},
    MemoryResource{Resource::constant, MemoryPath::constant},
    MemoryResource{Resource::texture, MemoryPath::texture},
};
static_assert(kUnitResources.size() + kMemoryResources.size() + 1 == kResources);

}  // namespace heddle::sm
