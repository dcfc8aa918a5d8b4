#pragma once

// The version of those of the simulator's sources that a result depends on. Each policy
// (config/policy_registry.h) has a source file of its own. A machine's results depend on the
// policies that the machine selects, and on all sources that are not policies (the core).

#include <string>
#include <string_view>
#include <vector>

#include "gpu/machine.h"

namespace heddle::lab {

struct PolicySource {
  std::string_view name;  ///< As in machine descriptions: "round-robin".
  std::string_view file;  ///< Relative to the checkout's root.
  std::string_view digest;
};

/// Digests of the sources that results depend on.
struct Sources {
  std::string_view core;  ///< Digest of all sources except the policies' files.
  std::vector<PolicySource> policies{};

  /// The core and the files of the policies that a machine selects, with their digests:
  /// "core:… src/sm/…/round_robin.cpp:…". A policy with a selected name counts in every group.
  std::string version_of(gpu::Machine machine) const;
  /// Whether this program was built with the same sources as `version` names.
  bool is_current(std::string_view version) const;
  /// The digest of all sources.
  std::string digest() const;
};

/// The digests from when this program was built.
const Sources& sources();

}  // namespace heddle::lab
