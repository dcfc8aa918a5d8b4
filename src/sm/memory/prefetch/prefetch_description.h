#pragma once

#include <cstdint>
#include <string>

#include "config/declarations.h"
#include "config/policy_parameters.h"
#include "config/storage_list.h"

namespace heddle::sm {

struct PrefetchDescription {
  /// The largest number of lines that a policy may propose at a time.
  static constexpr std::uint32_t kMaxDegree = 16;

  std::string policy = "none";
  std::uint32_t degree = 1;  ///< Lines proposed at a time.
  std::uint32_t queue = 8;   ///< Proposed lines that can wait.
  config::PolicyParameters policy_parameters{};

  void declare(config::Declarations& parameters);
  void storage(config::StorageList& list) const;
  /// Whether the policy prefetches: every policy but `none`.
  bool is_present() const;
  /// Throws InputError if the policy's parameters contradict each other.
  void check() const;
};

/// Lists the queue of proposed lines, which every policy that prefetches needs.
void list_prefetch_queue(config::StorageList& list);

}  // namespace heddle::sm
