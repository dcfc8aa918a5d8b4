#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string_view>

#include "base/enum_array.h"

namespace heddle {

/// Returns the enumeration value whose name in `names` is `name`. There must be one.
template <class Enum, std::size_t kCount>
constexpr Enum value_named(std::string_view name,
                           const EnumArray<Enum, std::string_view, kCount>& names) {
  const auto found = std::find(names.begin(), names.end(), name);
  assert(found != names.end());
  return names.index_at(static_cast<std::size_t>(found - names.begin()));
}

}  // namespace heddle
