#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

/// Parameters of neighbouring pipeline stages that a policy's check needs.
struct DependenceContext {
  std::uint32_t fetch_ports = 1;
  std::uint32_t schedulers = 1;
  bool keeps_static_warps = true;         ///< See DivergenceDescription::keeps_static_warps().
  std::string_view divergence = "stack";  ///< The divergence policy's name, for messages.
};

struct DependenceDescription {
  std::string policy = "scoreboard";
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError if the policy does not work with the neighbouring stages.
  void check(const DependenceContext& context) const;
  /// Whether a warp's next instruction is not fetched before Dependence::ready() allows it to
  /// issue. Otherwise the decoded instruction waits in the instruction buffer.
  bool holds_fetch() const;
  /// Whether a warp's instruction issues only when the previous one has written its results.
  bool is_one_at_a_time() const;
  /// Whether the policy needs Issued::lanes. They are known only if each warp slot contains a
  /// single static warp (32 threads with consecutive numbers).
  bool needs_active_lanes() const;
  /// Whether the policy records when each register can be read (Dependence::register_times()), if
  /// there is no bypass.
  bool records_registers() const;
};

}  // namespace heddle::sm
