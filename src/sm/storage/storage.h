#pragma once

// The interface of policies that choose the sizes of a multiprocessor's memories for a launch: its
// register file, its scratchpad and its L1.

#include <optional>

#include "config/policy_registry.h"
#include "sm/block_needs.h"
#include "sm/shared_banks.h"
#include "sm/storage/storage_description.h"
#include "sm/storage_sizes.h"

namespace heddle::sm {

/// A policy has no state: it may be asked for the sizes of launches that never run, because
/// programs query occupancy.
class StoragePolicy {
 public:
  StoragePolicy() = default;
  StoragePolicy(const StoragePolicy&) = delete;
  StoragePolicy& operator=(const StoragePolicy&) = delete;
  virtual ~StoragePolicy() = default;

  /// The sizes for a launch that has the multiprocessor to itself. The size of the L1 is a multiple
  /// of the size of a set.
  virtual StorageSizes sizes_for(const BlockNeeds& needs) const = 0;
  /// The largest register file and the largest scratchpad that any launch can get.
  virtual StorageSizes largest_sizes() const = 0;
};

struct StorageProperties {
  /// See StorageDescription::shared_banks().
  std::optional<SharedBanks> shared_banks{};
};

struct StorageSeam {
  using Policy = StoragePolicy;
  using Description = StorageDescription;
  using Place = SmDescription;  ///< Outlives the policy.
  using Context = SmDescription;
  using Properties = StorageProperties;
};
using StorageRegistry = config::PolicyRegistry<StorageSeam>;

}  // namespace heddle::sm
