#pragma once

#include <cstdint>
#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct LookaheadDescription {
  std::string policy = "none";
  /// From the start of a wait until the warp examines its first instruction ahead.
  std::uint32_t switch_cycles = 1;
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Whether warps run ahead: with every policy but `none`.
  bool is_present() const;
  /// Whether warps reuse what they have computed ahead.
  bool reuses_results() const;
  /// How many free registers of warps can take results ahead, at most; 0 if none are reused.
  std::uint32_t renaming_registers() const;
  /// Throws InputError if warps run ahead, and the policy or the rest of the multiprocessor does
  /// not allow it.
  void check(const SmDescription& sm) const;
};

}  // namespace heddle::sm
