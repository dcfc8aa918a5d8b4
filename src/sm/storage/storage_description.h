#pragma once

#include <optional>
#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "sm/shared_banks.h"

namespace heddle::sm {

struct SmDescription;

struct StorageDescription {
  std::string policy = "fixed";
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  /// Throws InputError if the policy does not fit the rest of the multiprocessor.
  void check(const SmDescription& sm) const;
  /// The banks that registers, scratchpad and L1 share; nothing if each has banks of its own.
  std::optional<SharedBanks> shared_banks() const;
};

}  // namespace heddle::sm
