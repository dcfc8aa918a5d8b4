#include "sm/storage/storage.h"

namespace heddle::sm {

void StorageDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, StorageRegistry::names(),
                    "what chooses the sizes of register file, scratchpad and L1 for a launch");
  StorageRegistry::declare(*this, parameters);
}

void StorageDescription::check(const SmDescription& sm) const {
  StorageRegistry::check(policy, *this, sm);
}

std::optional<SharedBanks> StorageDescription::shared_banks() const {
  return StorageRegistry::properties(policy, *this).shared_banks;
}

}  // namespace heddle::sm
