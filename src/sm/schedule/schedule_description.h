#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct ScheduleDescription {
  std::string policy = "round-robin";
  std::uint32_t schedulers = 1;  ///< The number of schedulers of a sub-core.
  std::uint32_t interval = 1;    ///< In cycles, from one instruction of a scheduler to the next.
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Whether the policy chooses by Scheduler::Formation, and so works with formed warps only.
  bool needs_formation() const;
  /// Whether the policy chooses among a few active warps.
  bool has_active_set() const;
  /// Whether warps are suspended at marks of the compiler (see SchedulerProperties).
  bool suspends_by_marks() const;
  /// Throws InputError if a sub-core with `warps` warps cannot have these schedulers. `source`: the
  /// parameters that set `warps`, for the message.
  void check(std::uint32_t warps, std::string_view source) const;
};

}  // namespace heddle::sm
