#pragma once

// What lives on a multiprocessor at once, and what it takes of its registers, scratchpad, warps and
// places for blocks.

#include <cstdint>
#include <memory>

#include "config/answer_registry.h"
#include "sm/residency/occupancy.h"
#include "sm/residency/residency_description.h"

namespace heddle::sm {

class Residency {
 public:
  Residency() = default;
  Residency(const Residency&) = delete;
  Residency& operator=(const Residency&) = delete;
  virtual ~Residency() = default;

  /// Whether there is room for a block and for the first of its warps at least.
  virtual bool fits(const BlockNeeds& needs) const = 0;
  /// A block that fits is let in.
  virtual void take(const BlockNeeds& needs) = 0;
  /// How many more warps of a block may start, of the `waiting` that have not: those have from now
  /// on what they take. Asked when the block is let in; then, as long as some wait, after the end
  /// of any block's warp, of the oldest block first.
  virtual std::uint32_t admit_warps(const BlockNeeds& needs, std::uint32_t waiting) = 0;
  /// One of a block's warps has ended, perhaps its last.
  virtual void warp_ended(const BlockNeeds& needs) = 0;
  virtual void block_ended(const BlockNeeds& needs) = 0;
  /// Registers that are given to residents.
  virtual std::uint32_t registers_taken() const = 0;
  virtual Occupancy occupancy(const BlockNeeds& needs) const = 0;
};

struct ResidencyProperties {
  /// Warps come and go by themselves: a block may start with some of them only, and the place of
  /// one is free when it has ended. Otherwise they come and go with their block.
  bool by_warps = false;
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
