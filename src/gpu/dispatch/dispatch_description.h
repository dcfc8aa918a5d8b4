#pragma once

#include <cstdint>
#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"

namespace heddle::gpu {

struct Machine;

/// How blocks are sent to multiprocessors; declare() says what each parameter means.
struct DispatchDescription {
  std::string policy = "breadth-first";
  std::uint32_t latency = 100;
  bool small_blocks = false;
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  /// Throws InputError if the policy cannot be combined with the machine.
  void check(const Machine& machine) const;
};

}  // namespace heddle::gpu
