#pragma once

#include <optional>
#include <string>
#include <vector>

#include "code/placement/hierarchy.h"
#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct OperandDescription {
  std::string policy = "flat";
  config::PolicyParameters own{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError if the policy does not fit the rest of the multiprocessor.
  void check(const SmDescription& sm) const;
  /// The lines of text for the operands in a diagram of the machine.
  std::vector<std::string> sketch() const;
  /// The register hierarchy that programs are compiled for, if there are levels above a main
  /// register file.
  std::optional<code::Hierarchy> hierarchy() const;
};

}  // namespace heddle::sm
