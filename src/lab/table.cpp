#include "lab/table.h"

#include <fmt/format.h>

namespace heddle::lab {

Measured::Measured(const Experiment& experiment, std::vector<std::optional<Measures>> cells)
    : experiment_(&experiment), cells_(std::move(cells)) {
  for (const Variant& variant : experiment.variants) {
    columns_.push_back(column_count_);
    if (variant.simulated()) ++column_count_;
  }
}

const std::optional<Measures>& Measured::cell(std::size_t row,
                                              std::size_t simulated_variant) const {
  return cells_.at(row * column_count_ + columns_[simulated_variant]);
}

std::optional<std::size_t> Measured::run_of(std::size_t row, std::size_t variant) const {
  const Variant& described = experiment_->variants.at(variant);
  if (described.simulated()) return cell(row, variant) ? std::optional(variant) : std::nullopt;
  std::optional<std::size_t> best;
  std::optional<double> best_value;
  for (const std::string& name : described.best_of) {
    const std::size_t other = experiment_->variant_index(name);
    const auto& measures = cell(row, other);
    const std::optional<double> value = measures ? experiment_->metric.of(*measures) : std::nullopt;
    if (!value) return std::nullopt;
    if (!best || (experiment_->lower_is_better ? *value < *best_value : *value > *best_value)) {
      best = other;
      best_value = value;
    }
  }
  return best;
}

std::optional<double> Measured::value(std::size_t row, std::string_view variant,
                                      const Metric& metric, std::string_view relative_to) const {
  const auto raw = [&](std::string_view name) -> std::optional<double> {
    const std::optional<std::size_t> run = run_of(row, experiment_->variant_index(name));
    return run ? metric.of(*cell(row, *run)) : std::nullopt;
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

namespace {

TableRow make_row(const Measured& measured, std::size_t row) {
  const Experiment& experiment = measured.experiment();
  TableRow made{.name = experiment.rows[row].label};
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    const Variant& variant = experiment.variants[i];
    made.values.push_back(
        measured.value(row, variant.name, experiment.metric, experiment.normalise_to));
    const std::optional<std::size_t> run = measured.run_of(row, i);
    made.best.push_back(variant.simulated() || !run ? "" : experiment.variants[*run].name);
    Values parts;
    for (const Part& part : experiment.parts) {
      parts.push_back(measured.value(row, variant.name, part.metric, ""));
    }
    made.parts.push_back(std::move(parts));
  }
  return made;
}

TableRow make_mean(const Measured& measured, const std::string& group) {
  const Experiment& experiment = measured.experiment();
  TableRow made{.name = fmt::format("{} mean{}{}", name_of(experiment.mean),
                                    group.empty() ? "" : ", ", group),
                .group = group};
  for (const Variant& variant : experiment.variants) {
    made.values.push_back(measured.mean(experiment.mean, group, variant.name, experiment.metric,
                                        experiment.normalise_to));
    made.best.emplace_back();
    Values parts;
    for (const Part& part : experiment.parts) {
      parts.push_back(measured.mean(Mean::arithmetic, group, variant.name, part.metric, ""));
    }
    made.parts.push_back(std::move(parts));
  }
  return made;
}

}  // namespace

Table make_table(const Measured& measured) {
  const Experiment& experiment = measured.experiment();
  Table table;
  for (std::size_t row = 0; row < experiment.rows.size(); ++row) {
    table.rows.push_back(make_row(measured, row));
  }
  for (const std::string& group : experiment.groups()) {
    table.means.push_back(make_mean(measured, group));
  }
  table.means.push_back(make_mean(measured, ""));
  return table;
}

}  // namespace heddle::lab
