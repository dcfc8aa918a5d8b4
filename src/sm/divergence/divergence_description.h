#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

/// The divergence policy of a multiprocessor, and its parameters.
struct DivergenceDescription {
  std::string policy = "stack";
  config::PolicyParameters policy_parameters{};  ///< The parameters of the policies.

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError if the policy does not fit the rest of the description.
  void check(const SmDescription& description) const;
  /// How many static warps, of 32 threads each, a warp slot has space for.
  std::uint32_t static_warps() const;
  /// Whether a warp slot always contains exactly one static warp.
  bool keeps_static_warps() const;
  /// Whether threads are formed into other warps after each branch.
  bool regroups_threads() const;
  /// The number of warp slots of a multiprocessor on which `warps` static warps can be resident.
  std::uint32_t slots(std::uint32_t warps) const;
};

}  // namespace heddle::sm
