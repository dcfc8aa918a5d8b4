#pragma once

// An experiment's tables, as HTML.

#include <cstddef>
#include <string>

#include "lab/report/study.h"

namespace heddle::lab::report {

/// Rows and means by variant.
std::string value_table(const Study& study);
/// What the stacks are made of; nothing where there are none.
std::string part_table(const Study& study);
/// What was claimed, measured and found.
std::string claim_table(const Study& study);
/// The cells of one after its first; `note` is markup that goes with what was measured.
std::string claim_cells(const Study& study, const StudyClaim& one, const std::string& note);
/// Variants with their settings, and in which parameters they differ.
std::string variant_table(const Study& study);
/// What is the same in all runs.
std::string parameter_table(const Study& study);

/// "✓ holds", in its colour.
std::string verdict_mark(const Study& study, const JudgedClaim& judged);
/// "3 of 4 claims hold", with a bar; nothing where there is no claim.
std::string claim_meter(const ClaimCount& count);
/// A table that scrolls within itself where the page is too narrow for it. `name` says what it is.
std::string scrolling(const std::string& name, const std::string& content);

}  // namespace heddle::lab::report
