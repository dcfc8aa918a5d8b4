#pragma once

// The interface of residency policies. They decide which blocks and warps are resident on a
// multiprocessor at the same time, and allocate its registers, shared memory, warp slots and block
// slots to them. All policies except 'block' are variants of WarpMan (Xiang et al., Warp-Level
// Divergence in GPUs: Characterization, Impact, and Mitigation, sections 4 and 6.1).

#include <cstdint>
#include <memory>

#include "base/cycle.h"
#include "config/policy_registry.h"
#include "sm/residency/occupancy.h"
#include "sm/residency/residency_description.h"
#include "sm/residency/resource_pool.h"

namespace heddle::sm {

/// One of two behaviours of a policy that are compared while the chip runs (gpu/duel.h).
enum class DuelSide : std::uint8_t { first, second };

class Residency {
 public:
  explicit Residency(const ResidencyDescription& multiprocessor) : pool_(multiprocessor) {}
  Residency(const Residency&) = delete;
  Residency& operator=(const Residency&) = delete;
  virtual ~Residency() = default;

  /// Whether a block can be admitted: there is space for at least its first warp.
  virtual bool fits(const BlockNeeds& needs) const = 0;
  /// For a block that fits: the cycle in which the space for it became free, if that was after the
  /// last forget_releases(); 0 otherwise.
  virtual Cycle space_since(const BlockNeeds& needs) const = 0;
  /// Admits a block that fits. Allocates its resources, except those that admit_warps() allocates.
  virtual void admit_block(const BlockNeeds& needs) = 0;
  /// Returns how many of the `waiting` warps of a block may start, and allocates what they need.
  /// Called when the block is admitted, in cycle `at`. While some of its warps wait, it is called
  /// again when any warp has ended, in cycle `at`; the oldest block is first.
  virtual std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting, Cycle at) = 0;
  /// A warp of a block has ended, possibly its last one.
  virtual void warp_ended(const BlockNeeds& needs, Cycle at) = 0;
  /// The last warp of a block has ended. Called after warp_ended().
  virtual void block_ended(const BlockNeeds& needs, Cycle at) = 0;

  /// From `at` on, the policy behaves as this side of the duel. Called only if
  /// ResidencyProperties::duel_interval is not 0.
  virtual void follow(DuelSide, [[maybe_unused]] Cycle at) {}

  /// As ResourcePool::resize().
  void resize(const StorageSizes& sizes) { pool_.resize(sizes); }
  /// The resources that are allocated to resident blocks.
  const Allocation& allocated() const { return pool_.allocated(); }
  /// The registers that are allocated to no block.
  std::uint64_t free_registers() const { return pool_.free_registers(); }
  /// How many blocks fit on an empty multiprocessor.
  virtual Occupancy occupancy(const BlockNeeds& needs) const {
    return pool_.occupancy(pool_.block(needs));
  }
  /// From now on, space_since() ignores releases before this call.
  void forget_releases() { pool_.forget_releases(); }

 protected:
  ResourcePool pool_;
};

struct ResidencyProperties {
  /// Whether a warp's registers and slot are freed when it ends, and a block may start with only
  /// some of its warps. Otherwise all warps of a block start and free their resources together.
  bool allocates_by_warp = false;
  /// The length of each comparison of the two sides of a duel; 0 if the policy has no duel.
  Cycles duel_interval{};
};

struct ResidencySeam {
  using Policy = Residency;
  using Description = ResidencyDescription;
  using Place = ResidencyDescription;
  using Context = SmDescription;
  using Properties = ResidencyProperties;
};
using ResidencyRegistry = config::PolicyRegistry<ResidencySeam>;

/// The properties of the policy that the description names.
ResidencyProperties properties_of(const ResidencyDescription& description);
/// Makes the policy that the description names.
std::unique_ptr<Residency> make_residency(const ResidencyDescription& description);

}  // namespace heddle::sm
