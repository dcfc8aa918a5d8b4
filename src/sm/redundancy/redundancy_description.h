#pragma once

#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct RedundancyDescription {
  std::string policy = "none";
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Whether the policy exploits redundancy: every policy but `none`.
  bool is_present() const;
  /// Throws InputError if the policy does not fit the rest of the multiprocessor.
  void check(const SmDescription& sm) const;
};

}  // namespace heddle::sm
