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
  ratio_of_sums  ///< For ratios: the sum of numerators divided by the sum of denominators.
};

std::string_view name_of(Mean mean);
/// Throws InputError for an unknown name.
Mean parse_mean(std::string_view text);

/// The mean of the values. Empty if there are no values, if a value is missing (the mean of the
/// others would be a different quantity), or if the mean is undefined for a value. Computes the
/// geometric mean for Mean::ratio_of_sums, because the numerators and denominators are not known
/// here.
std::optional<double> mean_of(const std::vector<std::optional<double>>& values, Mean mean);
/// The mean of one value for each seed. A single value is returned unchanged, to the bit.
std::optional<double> mean_over_seeds(const std::vector<std::optional<double>>& values, Mean mean);

}  // namespace heddle::lab
