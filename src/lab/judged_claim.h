#pragma once

// A claim's verdicts: by the mean over all seeds, by each seed alone, and for each other reading
// (interpretation of the paper's words).

#include <cstddef>
#include <optional>
#include <vector>

#include "lab/claim.h"
#include "lab/table.h"
#include "lab/verdict.h"

namespace heddle::lab {

struct JudgedClaim {
  ClaimVerdict verdict{};               ///< By the mean over the seeds.
  std::vector<ClaimVerdict> by_seed{};  ///< By each seed alone; empty if there is only one seed.
  std::vector<JudgedClaim> readings{};  ///< In the order of Claim::readings.

  /// Whether the claim holds for the mean and for every seed. A claim that holds for some seeds
  /// only might hold by chance.
  bool holds() const;
  std::size_t holding_seeds() const;  ///< Number of seeds for which the claim holds.
  /// Whether the seeds and the mean do not all have the same verdict.
  bool depends_on_seed() const;
  /// Whether the claim holds, has other readings, and does not hold in any of these.
  bool holds_only_as_read() const;
  /// The range of the measured value over the seeds. For claims without a single measured number
  /// (orders and classes), the range of the distance. Empty with fewer than two seeds, or if a
  /// value is missing.
  std::optional<Spread> spread() const;
};

JudgedClaim judge_claim(const Claim& claim, MeasurementsBySeed seeds);

}  // namespace heddle::lab
