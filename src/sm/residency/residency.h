#pragma once

// What lives on a multiprocessor at once, and what it takes of its registers, scratchpad, warps and
// places for blocks.

#include <cstdint>
#include <memory>

#include "base/cycle.h"
#include "config/answer_registry.h"
#include "sm/residency/occupancy.h"
#include "sm/residency/residency_description.h"
#include "sm/residency/resource_pool.h"

namespace heddle::sm {

/// Of two ways to go about something, which are compared as the chip runs (gpu/duel.h).
enum class DuelSide : std::uint8_t { first, second };

class Residency {
 public:
  explicit Residency(const ResidencyDescription& has) : pool_(has) {}
  Residency(const Residency&) = delete;
  Residency& operator=(const Residency&) = delete;
  virtual ~Residency() = default;

  /// Whether there is room for a block and for the first of its warps at least.
  virtual bool fits(const BlockNeeds& needs) const = 0;
  /// Since when, for one that fits: the cycle of the end that made the room, if it has come since
  /// forget_releases(); 0 otherwise.
  virtual Cycle room_since(const BlockNeeds& needs) const = 0;
  /// A block that fits is let in.
  virtual void take(const BlockNeeds& needs) = 0;
  /// How many more warps of a block may start, of the `waiting` that have not: those have from now
  /// on what they take. Asked when the block is let in; then, as long as some wait, after the end
  /// of any block's warp at `at`, of the oldest block first.
  virtual std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting, Cycle at) = 0;
  /// One of a block's warps has ended, perhaps its last.
  virtual void warp_ended(const BlockNeeds& needs, Cycle at) = 0;
  virtual void block_ended(const BlockNeeds& needs, Cycle at) = 0;

  /// Which way to go from `at` on. Only where the properties have a duel.
  virtual void follow(DuelSide, [[maybe_unused]] Cycle at) {}

  /// What is given to residents.
  const Allocation& allocated() const { return pool_.allocated(); }
  /// Of an empty multiprocessor.
  virtual Occupancy occupancy(const BlockNeeds& needs) const {
    return pool_.occupancy(pool_.block(needs));
  }
  /// Where there has been room until now, blocks have been offered it.
  void forget_releases() { pool_.forget_releases(); }

 protected:
  ResourcePool pool_;
};

struct ResidencyProperties {
  /// Warps come and go by themselves: a block may start with some of them only, and the place of
  /// one is free when it has ended. Otherwise they come and go with their block.
  bool by_warps = false;
  /// Two ways are compared for so long, again and again; 0 where there is one only.
  Cycles duel_interval{};
};

struct ResidencySeam {
  using Answer = Residency;
  using Description = ResidencyDescription;
  using Place = ResidencyDescription;
  using Context = SmDescription;
  using Properties = ResidencyProperties;
};
using ResidencyRegistry = config::AnswerRegistry<ResidencySeam>;

/// Of the answer that the description names.
ResidencyProperties properties_of(const ResidencyDescription& description);
/// The answer that the description names.
std::unique_ptr<Residency> make_residency(const ResidencyDescription& description);

}  // namespace heddle::sm
