// Policy 'fixed': every launch has the sizes that the parameters state.

#include "sm/storage/launch_sizes.h"
#include "sm/storage/storage.h"

namespace heddle::sm {
namespace {

class FixedStorage final : public StoragePolicy {
 public:
  explicit FixedStorage(const SmDescription& sm) : sizes_(parameter_sizes(sm)) {}

  StorageSizes sizes_for(const BlockNeeds&) const override { return sizes_; }
  StorageSizes largest_sizes() const override { return sizes_; }

 private:
  StorageSizes sizes_;
};

const StorageRegistry::Entry fixed_entry{
    "fixed", "sm.registers, sm.shared_bytes and l1.bytes, for every launch",
    [](const SmDescription& sm) { return std::make_unique<FixedStorage>(sm); }};

}  // namespace
}  // namespace heddle::sm
