#pragma once

#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"

namespace heddle::sm {

struct SmDescription;

struct StorageDescription {
  std::string policy = "fixed";
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  /// Throws InputError if the policy does not fit the rest of the multiprocessor.
  void check(const SmDescription& sm) const;
};

}  // namespace heddle::sm
