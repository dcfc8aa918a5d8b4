#pragma once

// Groups of multiprocessors that differ from a machine's others, such as a few large cores among
// many small ones.

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "sm/sm_description.h"

namespace heddle::gpu {

/// A group that a description defines as [group.NAME].
struct SmGroup {
  std::string name;
  std::uint32_t sms = 0;
  sm::SmDescription sm{};  ///< The machine's values, with the group's changes.

  void declare(config::Declarations& parameters);
};

/// Identical multiprocessors with consecutive numbers: those of a group, or those in no group.
struct SmKind {
  std::string_view group;   ///< Empty for multiprocessors in no group.
  std::uint32_t first = 0;  ///< The number of the first multiprocessor.
  std::uint32_t sms = 0;
  const sm::SmDescription* sm = nullptr;
};

}  // namespace heddle::gpu
