#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace heddle::lab {

enum class Mean : std::uint8_t {
  arithmetic,
  geometric,
  harmonic,
  ratio_of_sums  ///< Of ratios: their upper parts added up, divided by their lower ones.
};

std::string_view name_of(Mean mean);
/// Throws InputError for what is no mean's name.
Mean parse_mean(std::string_view text);

/// Empty where there is nothing, where a value is missing (a mean of others would be another
/// figure), and where the mean is not defined for a value. Of ratios of sums it is the geometric
/// one: what they are made of is not here.
std::optional<double> mean_of(const std::vector<std::optional<double>>& values, Mean mean);
/// Of what each seed gave; of a single one that, to the bit.
std::optional<double> mean_over_seeds(const std::vector<std::optional<double>>& values, Mean mean);

}  // namespace heddle::lab
