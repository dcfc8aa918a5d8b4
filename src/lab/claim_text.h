#pragma once

// A claim and what came out, in few words for people.

#include <optional>
#include <string>
#include <vector>

#include "lab/claim.h"
#include "lab/judged_claim.h"

namespace heddle::lab {

/// "1.050" where it is relative to something, else as many digits as say something; "-" for
/// nothing.
std::string figure_text(std::optional<double> value, bool relative);

/// "+5.0 %", "a < b", "4 classes".
std::string reported_text(const Claim& claim);
/// "+4.2 %", "1.01, 1.05", "3 of 4 agree".
std::string measured_text(const Claim& claim, const ClaimVerdict& verdict);
/// "+0.8 points" of gains, savings and shares, "-4.0 %" of the others.
std::string distance_text(const Claim& claim, const ClaimVerdict& verdict);
/// Of a row that is not of the class that was expected: "bfs: low (31.2), reported high".
std::string disagreement_text(const ClassedRow& row);

/// "1.040 to 1.060"; empty for nothing, and where both ends read the same.
std::string spread_text(const std::optional<Spread>& spread, bool relative);
/// Over the seeds: "+3.9 % to +4.6 %"; empty in the same cases.
std::string spread_text(const Claim& claim, const JudgedClaim& judged);
/// "holds for 2 of 3 seeds", where they do not all say the same; else empty.
std::string seeds_text(const JudgedClaim& judged);
/// Which of a claim's other readings are told of.
enum class Readings { all, with_another_verdict };

/// What became of each other reading: "would hold as the arithmetic mean (+7.1 %)".
std::vector<std::string> readings_text(const Claim& claim, const JudgedClaim& judged,
                                       Readings readings = Readings::all);
/// That its verdict depends on the seed, or on its reading; then a line for each other reading.
std::vector<std::string> notes_of(const Claim& claim, const JudgedClaim& judged,
                                  Readings readings = Readings::all);

}  // namespace heddle::lab
