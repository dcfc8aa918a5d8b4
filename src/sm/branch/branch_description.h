#pragma once

#include <cstdint>
#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct BranchDescription {
  std::string policy = "wait";
  std::uint32_t resolve_cycles = 4;  ///< From the issue of a branch until it is resolved.
  std::uint32_t jump_cycles = 1;     ///< From the issue of an unguarded branch to the next fetch.
  /// Whether targets known at decode are fetched together with the branch, not after jump_cycles.
  bool fetches_targets = false;
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  /// Throws InputError if the policy does not fit the rest of the description.
  void check(const SmDescription& sm) const;
  void storage(config::StorageList& list) const;
};

}  // namespace heddle::sm
