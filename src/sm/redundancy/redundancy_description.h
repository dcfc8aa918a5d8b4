#pragma once

#include <cstdint>
#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct SmDescription;

struct RedundancyDescription {
  std::string policy = "none";
  // Parameters of the policies that exploit uniform vector instructions (uniform_vectors.h).
  bool convert = true;  ///< Whether uniform instructions are computed in one lane (intra-warp).
  std::uint32_t reuse_entries = 8;        ///< Entries of the reuse buffer (inter-warp); 0: none.
  std::uint32_t reuse_operand_bits = 32;  ///< The size of the values in an entry.
  /// Whether uniform instructions are computed twice, to detect errors (error_detection.h).
  bool detect_errors = false;
  bool observe = false;
  std::uint32_t observe_window = 64;
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Whether the policy exploits redundancy: every policy but `none`.
  bool is_present() const;
  /// Throws InputError if the policy does not fit the rest of the multiprocessor.
  void check(const SmDescription& sm) const;
};

}  // namespace heddle::sm
