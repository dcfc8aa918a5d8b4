#pragma once

#include <cstdint>
#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

/// The resources that a multiprocessor has for its resident blocks (parameters sm.*), and the
/// policy that allocates them (parameters residency.*).
struct ResidencyDescription {
  std::string policy = "block";
  std::uint32_t warps = 48;                  ///< Resident warps, at most.
  std::uint32_t blocks = 8;                  ///< Resident blocks, at most.
  std::uint32_t registers = 32768;           ///< 32-bit registers of all threads.
  std::uint32_t register_unit = 64;          ///< Registers are allocated in multiples of this.
  std::uint32_t registers_per_thread = 255;  ///< At most.
  std::uint32_t shared_bytes = 49152;
  std::uint32_t shared_unit = 128;  ///< Shared memory is allocated in multiples of this.
  config::PolicyParameters policy_parameters{};  ///< The parameters of the policies.

  /// Declares all parameters except those of ResidencyPolicyParameters.
  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Throws InputError if the policy does not fit the rest of the description.
  void check(const SmDescription& sm) const;
  /// The largest number of registers per thread with which a block of `threads` threads fits.
  std::uint32_t max_registers(std::uint64_t threads) const;
};

/// Declares the parameter `policy` of a description, and the parameters of all policies.
struct ResidencyPolicyParameters {
  ResidencyDescription& residency;

  void declare(config::Declarations& parameters);
};

}  // namespace heddle::sm
