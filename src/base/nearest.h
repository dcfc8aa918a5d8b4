#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The smallest number of edits that turn one text into the other: insertions, deletions,
/// substitutions, and swaps of neighbours (the Damerau-Levenshtein distance, optimal string
/// alignment).
int edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'x'?" if one of the known names is close to `name`. Otherwise lists the known
/// names if they are few ("; choose one of: a, b"), or returns an empty text.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace heddle
