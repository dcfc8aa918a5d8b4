#pragma once

// What became of a claim: over all seeds, with each of them, and as else it may be read.

#include <cstddef>
#include <optional>
#include <vector>

#include "lab/claim.h"
#include "lab/table.h"
#include "lab/verdict.h"

namespace heddle::lab {

struct JudgedClaim {
  ClaimVerdict verdict{};               ///< On the mean over the seeds.
  std::vector<ClaimVerdict> by_seed{};  ///< Of each seed alone, where there are several.
  std::vector<JudgedClaim> readings{};  ///< By the claim's.

  /// On the mean, and with every seed: otherwise it would be chance.
  bool holds() const;
  std::size_t holding_seeds() const;
  /// Whether one seed, or the mean, comes to another verdict than another.
  bool depends_on_seed() const;
  /// It holds, and in no other reading.
  bool holds_as_read_alone() const;
  /// Over the seeds: of what was measured or, where that is no single number, of the distance.
  std::optional<Spread> spread() const;
};

JudgedClaim judge_claim(const Claim& claim, Seeds seeds);

}  // namespace heddle::lab
