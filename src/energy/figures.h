#pragma once

// Reads figures, the numbers of a technology's file, and checks that they are present and
// plausible. A failure throws InputError with the position in the file.

#include <string_view>

#include "config/toml_table.h"

namespace heddle::energy {

/// Larger than any real figure, and small enough that no sum overflows.
inline constexpr double kMaxFigure = 1e12;

/// Fails if the value is NaN, less than `least` or greater than `most`.
void require_within(const config::TomlTable& table, std::string_view key, double value,
                    double least, double most = kMaxFigure);
/// Reads a number; fails if the key is missing.
double read_figure(const config::TomlTable& table, std::string_view key);
/// Reads a number from 0 to 1, both inclusive; fails if it is missing or out of range.
double read_share(const config::TomlTable& table, std::string_view key);

}  // namespace heddle::energy
