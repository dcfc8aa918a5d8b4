#pragma once

// A claim and what came out, in few words for people.

#include <optional>
#include <string>

#include "lab/claim.h"
#include "lab/verdict.h"

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

}  // namespace heddle::lab
