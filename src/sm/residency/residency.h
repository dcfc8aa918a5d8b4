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

  virtual bool fits(const BlockNeeds& needs) const = 0;
  virtual void take(const BlockNeeds& needs) = 0;
  /// One of a block's warps has ended, perhaps its last.
  virtual void warp_ended(const BlockNeeds& needs) = 0;
  virtual void block_ended(const BlockNeeds& needs) = 0;
  /// Registers that are given to residents.
  virtual std::uint32_t registers_taken() const = 0;
  virtual Occupancy occupancy(const BlockNeeds& needs) const = 0;
};

struct ResidencySeam {
  using Answer = Residency;
  using Description = ResidencyDescription;
  using Place = ResidencyDescription;
  using Context = SmDescription;
  using Properties = config::NoProperties;
};
using ResidencyRegistry = config::AnswerRegistry<ResidencySeam>;

/// The answer that the description names.
std::unique_ptr<Residency> make_residency(const ResidencyDescription& description);

}  // namespace heddle::sm
