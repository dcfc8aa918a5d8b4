#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/cycle.h"
#include "code/placement/hierarchy.h"
#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct OperandDescription {
  std::string policy = "flat";
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError if the policy does not fit the rest of the multiprocessor.
  void check(const SmDescription& sm) const;
  /// Whether the policy is a register file, without levels above it.
  bool is_register_file() const;
  /// Lines of text that describe the operand logic in a diagram of the machine.
  std::vector<std::string> sketch() const;
  /// The delay that the operand logic adds to the resolution of a branch.
  Cycles branch_cycles() const;
  /// Whether warps are suspended at marks of the compiler (IssueInfo::suspends). If not, a warp is
  /// suspended when it begins a long wait.
  bool suspends_by_marks() const;
  /// The register hierarchy for which programs are compiled; nothing if there are no levels above
  /// the main register file that the compiler must know.
  std::optional<code::Hierarchy> hierarchy() const;
};

}  // namespace heddle::sm
