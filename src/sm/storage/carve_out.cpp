// Policy 'carve-out': the scratchpad and the L1 are parts of one memory, as on NVIDIA's GPUs except
// those with Maxwell and Pascal. The memory has sm.shared_bytes + l1.bytes bytes. A launch gets the
// smallest scratchpad on offer that holds as many of its blocks as the largest would, and the L1
// gets the rest. By default CUDA's driver sizes the scratchpad of a kernel for the same purpose: it
// must not limit the kernel's occupancy (CUDA C++ Programming Guide, compute capability 7.x).
//
// The L1 keeps its ways, so its number of sets follows from its size.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sm/residency/residency.h"
#include "sm/sm_description.h"
#include "sm/storage/launch_sizes.h"
#include "sm/storage/storage.h"

namespace heddle::sm {
namespace {

/// The scratchpads on offer have least_shared bytes, or more by a multiple of `step`. The largest
/// has sm.shared_bytes.
struct CarveOutParameters {
  std::uint32_t least_shared = 0;
  std::uint32_t step = 8192;

  void declare(config::Declarations& parameters) {
    parameters.number("least_shared", least_shared, {.unit = "B", .least = 0, .most = 16777216},
                      "smallest scratchpad of a launch; the largest has sm.shared_bytes "
                      "('carve-out')");
    parameters.number("step", step, {.unit = "B", .least = 1, .most = 16777216},
                      "difference between one size of the scratchpad and the next ('carve-out')");
  }
  void check(const SmDescription& sm) const {
    if (!sm.memory.l1.present) {
      throw InputError(
          "storage.policy 'carve-out' divides a memory between the scratchpad and the L1, but "
          "l1.present is no: select storage.policy=fixed");
    }
    const std::uint32_t most_shared = sm.residency.shared_bytes;
    if (least_shared > most_shared) {
      throw InputError(fmt::format(
          "storage.least_shared is {} and sm.shared_bytes is {}: the smallest scratchpad must not "
          "be larger than the largest",
          least_shared, most_shared));
    }
    const CacheDescription& l1 = sm.memory.l1.cache;
    const std::uint32_t set_bytes = l1.ways * l1.line_bytes;
    if (step % set_bytes != 0 || (most_shared - least_shared) % set_bytes != 0) {
      throw InputError(fmt::format(
          "storage.step is {}, storage.least_shared {} and sm.shared_bytes {}: sizes of the "
          "scratchpad must differ by multiples of {} bytes, because the L1 gets the rest of the "
          "memory in whole sets of {} lines of {} bytes",
          step, least_shared, most_shared, set_bytes, l1.ways, l1.line_bytes));
    }
  }
  /// The smallest scratchpad on offer that has at least `bytes` bytes. If none has, the largest.
  std::uint32_t smallest_with(std::uint64_t bytes, std::uint32_t most_shared) const {
    if (bytes <= least_shared) return least_shared;
    const std::uint64_t steps = (bytes - least_shared + step - 1) / step;
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(least_shared + steps * step, most_shared));
  }
};

class CarveOut final : public StoragePolicy {
 public:
  CarveOut(const CarveOutParameters& own, const SmDescription& sm) : own_(own), sm_(sm) {}

  StorageSizes sizes_for(const BlockNeeds& needs) const override {
    StorageSizes sizes = parameter_sizes(sm_);
    const std::uint32_t most_shared = sizes.shared_bytes;
    const ResourcePool pool(sm_.residency);
    sizes.shared_bytes = own_.smallest_with(
        most_blocks(needs) * pool.without_warps(needs).shared_bytes, most_shared);
    sizes.l1_bytes += most_shared - sizes.shared_bytes;
    return sizes;
  }
  StorageSizes largest_sizes() const override { return parameter_sizes(sm_); }

 private:
  /// The largest number of blocks that may be resident at once with the largest scratchpad.
  std::uint64_t most_blocks(BlockNeeds needs) const {
    // If warps free their resources one by one, a block may be left with those of one warp.
    if (properties_of(sm_.residency).allocates_by_warp) needs.warps = 1;
    return occupancy_of(sm_.residency, needs).blocks;
  }

  CarveOutParameters own_;
  const SmDescription& sm_;
};

const StorageRegistry::Entry carve_out_entry{
    "carve-out", "the L1 gets what the launch's blocks leave of the scratchpad",
    [](const CarveOutParameters& own, const SmDescription& sm) {
      return std::make_unique<CarveOut>(own, sm);
    }};

}  // namespace
}  // namespace heddle::sm
