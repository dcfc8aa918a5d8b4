#pragma once

// An experiment's tables, as HTML.

#include <cstddef>
#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// The table of values: rows and means by variant.
std::string value_table(const Study& study);
/// The table of the stacks' parts; empty if the study has none.
std::string part_table(const Study& study);
/// The table of claims: reported and measured values, and verdicts.
std::string claim_table(const Study& study);
/// A claim's cells for the reported value, the measured value and the verdict. `note` is markup
/// that is appended to the measured value.
std::string claim_cells(const Study& study, const StudyClaim& study_claim, const std::string& note);
/// The table of variants: their settings and the parameters in which they differ.
std::string variant_table(const Study& study);
/// The list of parameters that are the same in all runs.
std::string parameter_table(const Study& study);

/// The verdict as a coloured label: "✓ holds".
std::string verdict_mark(const Study& study, const JudgedClaim& judged);
/// "3 of 4 claims hold" with a bar; empty if there are no claims.
std::string claim_meter(const ClaimCount& count);
/// Wraps content so that it scrolls if the page is too narrow for it. `name` is its name for screen
/// readers.
std::string scrolling(const std::string& name, const std::string& content);

}  // namespace heddle::lab::report
