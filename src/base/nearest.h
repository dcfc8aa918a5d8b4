#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace heddle {

/// The edits (insertions, deletions, substitutions, swaps of neighbours) between two words.
int edit_distance(std::string_view a, std::string_view b);

/// "; did you mean 'x'?" where one of the known names is close to `name`; else what is known, if
/// that is a short list ("; there are: a, b"); else nothing.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace heddle
