#include "lab/mean.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::lab {

std::string_view name_of(Mean mean) {
  switch (mean) {
    case Mean::arithmetic:
      return "arithmetic";
    case Mean::geometric:
      return "geometric";
    case Mean::harmonic:
      return "harmonic";
    case Mean::ratio_of_sums:
      return "ratio-of-sums";
  }
  return "";
}

Mean parse_mean(std::string_view text) {
  std::vector<std::string> names;
  for (const Mean mean : {Mean::arithmetic, Mean::geometric, Mean::harmonic, Mean::ratio_of_sums}) {
    if (name_of(mean) == text) return mean;
    names.emplace_back(name_of(mean));
  }
  throw InputError(fmt::format("unknown mean '{}'{}", text, suggestion(text, names)));
}

std::optional<double> mean_of(const std::vector<std::optional<double>>& values, Mean mean) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const std::optional<double>& value : values) {
    if (!value || (mean != Mean::arithmetic && *value <= 0)) return std::nullopt;
    sum += mean == Mean::arithmetic ? *value
           : mean == Mean::harmonic ? 1 / *value
                                    : std::log(*value);
  }
  const double count = static_cast<double>(values.size());
  if (mean == Mean::arithmetic) return sum / count;
  return mean == Mean::harmonic ? count / sum : std::exp(sum / count);
}

std::optional<double> mean_over_seeds(const std::vector<std::optional<double>>& values, Mean mean) {
  return values.size() == 1 ? values.front() : mean_of(values, mean);
}

}  // namespace heddle::lab
