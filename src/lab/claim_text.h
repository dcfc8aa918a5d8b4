#pragma once

// Short texts for people about a claim and its verdict.

#include <optional>
#include <string>
#include <vector>

#include "lab/claim.h"
#include "lab/judged_claim.h"

namespace heddle::lab {

/// A value as text; "-" if it is empty. A relative value has three decimals ("1.050"), any other
/// value has four significant digits.
std::string figure_text(std::optional<double> value, bool relative);

/// What the paper reports: "+5.0 %", "a < b", "4 in classes".
std::string reported_text(const Claim& claim);
/// What was measured: "+4.2 %", "1.01, 1.05", "3 of 4 agree".
std::string measured_text(const Claim& claim, const ClaimVerdict& verdict);
/// The verdict's distance: "+0.8 points" for gains, savings and shares, "-4.0 %" for other kinds.
std::string distance_text(const Claim& claim, const ClaimVerdict& verdict);
/// Describes a row outside of its expected class: "bfs: low (31.2), reported high".
std::string disagreement_text(const ClassedRow& row);

/// A range over the seeds: "1.040 to 1.060". Empty if there is no spread, or if both ends have the
/// same text.
std::string spread_text(const std::optional<Spread>& spread, bool relative);
/// A claim's spread over the seeds: "+3.9 % to +4.6 %". Empty if there is no spread, or if both
/// ends have the same text.
std::string spread_text(const Claim& claim, const JudgedClaim& judged);
/// "holds for 2 of 3 seeds" if the verdict depends on the seed; otherwise empty.
std::string seeds_text(const JudgedClaim& judged);

/// Which of a claim's other readings (lab/claim.h) are listed.
enum class Readings { all, with_another_verdict };

/// A text for each listed reading: "would hold as the arithmetic mean (+7.1 %)".
std::vector<std::string> readings_text(const Claim& claim, const JudgedClaim& judged,
                                       Readings readings = Readings::all);
/// Notes for readers of the verdict: that it depends on the seed, that the measured value is far
/// from the reported one, that the claim holds only in the main reading, and a line for each listed
/// reading.
std::vector<std::string> notes_of(const Claim& claim, const JudgedClaim& judged,
                                  Readings readings = Readings::all);

}  // namespace heddle::lab
