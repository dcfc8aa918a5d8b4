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
  std::uint32_t resolve_cycles = 4;
  std::uint32_t jump_cycles = 1;
  bool fetches_targets = false;
  config::PolicyParameters own{};

  void declare(config::Declarations& parameters);
  /// Throws InputError if the policy does not fit the rest of the description.
  void check(const SmDescription& sm) const;
  void storage(config::StorageList& list) const;
};

}  // namespace heddle::sm
