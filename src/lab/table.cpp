#include "lab/table.h"

#include <fmt/format.h>

namespace heddle::lab {

std::optional<double> Measured::value(std::size_t row, std::string_view variant,
                                      const Metric& metric, std::string_view relative_to) const {
  const auto raw = [&](std::string_view name) -> std::optional<double> {
    const std::size_t columns = experiment_->variants.size();
    const auto& cell = cells_.at(row * columns + experiment_->variant_index(name));
    return cell ? metric.of(*cell) : std::nullopt;
  };
  const std::optional<double> own = raw(variant);
  if (relative_to.empty() || !own) return own;
  const std::optional<double> base = raw(relative_to);
  if (!base || *base == 0) return std::nullopt;
  return *own / *base;
}

std::optional<double> Measured::mean(Mean mean, std::string_view group, std::string_view variant,
                                     const Metric& metric, std::string_view relative_to) const {
  std::vector<std::optional<double>> values;
  for (std::size_t row = 0; row < experiment_->rows.size(); ++row) {
    if (!group.empty() && experiment_->rows[row].group != group) continue;
    values.push_back(value(row, variant, metric, relative_to));
  }
  return mean_of(values, mean);
}

Table make_table(const Measured& measured) {
  const Experiment& experiment = measured.experiment();
  Table table;
  for (std::size_t row = 0; row < experiment.rows.size(); ++row) {
    TableRow described{.name = experiment.rows[row].label};
    for (const Variant& variant : experiment.variants) {
      described.values.push_back(
          measured.value(row, variant.name, experiment.metric, experiment.normalise_to));
    }
    table.rows.push_back(std::move(described));
  }
  const auto add_mean = [&](const std::string& group) {
    TableRow described{.name = fmt::format("{} mean{}{}", name_of(experiment.mean),
                                           group.empty() ? "" : ", ", group)};
    for (const Variant& variant : experiment.variants) {
      described.values.push_back(measured.mean(experiment.mean, group, variant.name,
                                               experiment.metric, experiment.normalise_to));
    }
    table.means.push_back(std::move(described));
  };
  for (const std::string& group : experiment.groups()) add_mean(group);
  add_mean("");
  return table;
}

}  // namespace heddle::lab
