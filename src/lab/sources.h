#pragma once

// The version of the simulator's sources that a result depends on. Each policy
// (config/policy_registry.h) has a source file of its own. A machine's results depend on the
// policies that the machine selects, and on the core: all sources that are not policies.

#include <string>
#include <string_view>
#include <vector>

#include "gpu/machine.h"

namespace heddle::lab {

struct PolicySource {
  std::string_view name;  ///< The policy's name in machine descriptions: "round-robin".
  std::string_view file;  ///< Relative to the checkout's root.
  std::string_view digest;
};

/// Digests of the sources that results depend on.
struct Sources {
  std::string_view core;  ///< Digest of all sources except the policies' files.
  std::vector<PolicySource> policies{};

  /// The core and the files of the selected policies, with their digests: "core:…
  /// src/sm/…/round_robin.cpp:…". A policy counts as selected if any parameter of the machine has
  /// its name as value.
  std::string version_of(gpu::Machine machine) const;
  /// Whether this program was built from the sources that `version` names, unchanged.
  bool is_current(std::string_view version) const;
  /// One digest of all these sources.
  std::string digest() const;
};

/// The digests of the sources that this program was built from.
const Sources& sources();

}  // namespace heddle::lab
