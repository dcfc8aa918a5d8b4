#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "config/policy_parameters.h"

namespace heddle::memory {

/// The replacement policy of a cache, and the policies' parameters.
struct ReplacementDescription {
  std::string policy = "lru";
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  /// Throws InputError if a cache of `ways` ways cannot have this policy. `cache`: the section of
  /// the machine that describes the cache, for the message.
  void check(std::string_view cache, std::uint32_t ways) const;
};

}  // namespace heddle::memory
