#pragma once

// Groups of multiprocessors that differ from the others of the same chip, such as a few large cores
// among many small ones.

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "sm/sm_description.h"

namespace heddle::gpu {

/// A group that a description defines as [group.NAME].
struct SmGroup {
  std::string name;
  std::uint32_t sms = 0;   ///< The number of multiprocessors.
  sm::SmDescription sm{};  ///< The machine's values, with the group's changes.

  void declare(config::Declarations& parameters);
};

/// A kind of multiprocessors: all those with the same description, which have consecutive numbers.
/// They are the multiprocessors of one group, or those that belong to no group.
struct SmKind {
  std::string_view group;   ///< Empty for multiprocessors in no group.
  std::uint32_t first = 0;  ///< The number of the first multiprocessor.
  std::uint32_t sms = 0;    ///< The number of multiprocessors.
  const sm::SmDescription* sm = nullptr;
};

}  // namespace heddle::gpu
