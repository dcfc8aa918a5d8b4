#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::lab {

enum class Mean : std::uint8_t { arithmetic, geometric, harmonic };

std::string_view name_of(Mean mean);
/// Throws InputError for what is no mean's name.
Mean parse_mean(std::string_view text);

/// Empty where there is nothing, where a value is missing (a mean of others would be another
/// figure), and where the mean is not defined for a value.
std::optional<double> mean_of(const std::vector<std::optional<double>>& values, Mean mean);

}  // namespace heddle::lab
