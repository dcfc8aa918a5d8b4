#include "sm/storage/launch_sizes.h"

#include <memory>

#include "sm/residency/residency.h"
#include "sm/sm_description.h"
#include "sm/storage/storage.h"

namespace heddle::sm {

StorageSizes parameter_sizes(const SmDescription& sm) {
  return {.registers = sm.residency.registers,
          .shared_bytes = sm.residency.shared_bytes,
          .l1_bytes = sm.memory.l1.cache.bytes};
}

namespace {

std::unique_ptr<StoragePolicy> policy_of(const SmDescription& sm) {
  return StorageRegistry::make(sm.launch_storage.policy, sm.launch_storage, sm);
}

Occupancy occupancy_with(const SmDescription& sm, const StorageSizes& sizes,
                         const BlockNeeds& needs) {
  const std::unique_ptr<Residency> residency = make_residency(sm.residency);
  residency->resize(sizes);
  return residency->occupancy(needs);
}

}  // namespace

StorageSizes sizes_for(const SmDescription& sm, const BlockNeeds& needs) {
  return policy_of(sm)->sizes_for(needs);
}

Occupancy occupancy_of(const SmDescription& sm, const StorageSizes& sizes,
                       const BlockNeeds& needs) {
  const Occupancy most = occupancy_with(sm, policy_of(sm)->largest_sizes(), needs);
  const Occupancy chosen = occupancy_with(sm, sizes, needs);
  // If the chosen sizes just suffice for these blocks, the limit is what the machine lacks.
  return chosen.blocks < most.blocks ? chosen : most;
}

Occupancy occupancy_of(const SmDescription& sm, const BlockNeeds& needs) {
  return occupancy_of(sm, sizes_for(sm, needs), needs);
}

}  // namespace heddle::sm
