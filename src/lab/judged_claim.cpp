#include "lab/judged_claim.h"

#include <algorithm>

namespace heddle::lab {

bool JudgedClaim::holds() const { return verdict.holds() && holding_seeds() == by_seed.size(); }

std::size_t JudgedClaim::holding_seeds() const {
  return static_cast<std::size_t>(std::count_if(
      by_seed.begin(), by_seed.end(), [](const ClaimVerdict& seed) { return seed.holds(); }));
}

bool JudgedClaim::depends_on_seed() const {
  return !by_seed.empty() && holding_seeds() != (verdict.holds() ? by_seed.size() : 0);
}

bool JudgedClaim::holds_only_as_read() const {
  return holds() && !readings.empty() &&
         std::none_of(readings.begin(), readings.end(),
                      [](const JudgedClaim& reading) { return reading.holds(); });
}

std::optional<Spread> JudgedClaim::spread() const {
  Values values;
  for (const ClaimVerdict& seed : by_seed) {
    values.push_back(seed.measured ? seed.measured : seed.distance);
  }
  return spread_of(values);
}

JudgedClaim judge_claim(const Claim& claim, MeasurementsBySeed seeds) {
  JudgedClaim judged{.verdict = judge(claim, seeds)};
  if (seeds.size() > 1) {
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      judged.by_seed.push_back(judge(claim, seeds.subspan(i, 1)));
    }
  }
  for (const Claim& reading : claim.readings) {
    judged.readings.push_back(judge_claim(reading, seeds));
  }
  return judged;
}

}  // namespace heddle::lab
