#pragma once

// Figures in a technology's file: there, and of a size that makes sense.

#include <string_view>

#include "config/toml_table.h"

namespace heddle::energy {

/// Beyond what anything on a chip takes, and far from overflow in any sum.
inline constexpr double kMostFigure = 1e12;

/// Fails with the place of the key where it is not within the bounds, or no number at all.
void require_within(const config::TomlTable& table, std::string_view key, double value,
                    double least, double most = kMostFigure);
/// Must be there.
double figure(const config::TomlTable& table, std::string_view key);
/// Must be there, from 0 to 1.
double share(const config::TomlTable& table, std::string_view key);

}  // namespace heddle::energy
