#pragma once

// Reads figures of a technology's file and checks that they are present and plausible.

#include <string_view>

#include "config/toml_table.h"

namespace heddle::energy {

/// Larger than any real figure, and small enough that no sum overflows.
inline constexpr double kMostFigure = 1e12;

/// Fails with the key's position if the value is outside of the bounds or NaN.
void require_within(const config::TomlTable& table, std::string_view key, double value,
                    double least, double most = kMostFigure);
/// Reads a number; fails if it is missing.
double read_figure(const config::TomlTable& table, std::string_view key);
/// Reads a number from 0 to 1; fails if it is missing.
double read_share(const config::TomlTable& table, std::string_view key);

}  // namespace heddle::energy
