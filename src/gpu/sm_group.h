#pragma once

// Multiprocessors that differ from a machine's others: a few big cores among many small ones, say.

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "sm/sm_description.h"

namespace heddle::gpu {

/// What a description's [group.NAME] says.
struct SmGroup {
  std::string name;
  std::uint32_t sms = 0;
  sm::SmDescription sm{};  ///< The machine's own, with what the group changes in it.

  void declare(config::Declarations& parameters);
};

/// Multiprocessors that are alike. Their numbers follow one another.
struct SmKind {
  std::string_view group;  ///< Empty: of those in no group.
  std::uint32_t first = 0;
  std::uint32_t sms = 0;
  const sm::SmDescription* sm = nullptr;
};

}  // namespace heddle::gpu
