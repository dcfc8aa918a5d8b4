#include "lab/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace heddle::lab {

Measurements::Measurements(const Experiment& experiment, std::vector<std::optional<Measures>> cells)
    : experiment_(&experiment), cells_(std::move(cells)) {
  for (const Variant& variant : experiment.variants) {
    columns_.push_back(column_count_);
    if (variant.is_simulated()) ++column_count_;
  }
}

const std::optional<Measures>& Measurements::cell(std::size_t row,
                                                  std::size_t simulated_variant) const {
  return cells_.at(row * column_count_ + columns_[simulated_variant]);
}

std::optional<std::size_t> Measurements::shown_variant(std::size_t row, std::size_t variant) const {
  const Variant& described = experiment_->variants.at(variant);
  if (described.is_simulated()) return cell(row, variant) ? std::optional(variant) : std::nullopt;
  if (!described.as_in.empty()) return variant_as_in(row, described);
  std::optional<std::size_t> best;
  std::optional<double> best_value;
  for (const std::string& name : described.best_of) {
    const std::size_t other = experiment_->variant_index(name);
    const auto& measures = cell(row, other);
    const std::optional<double> value =
        measures ? experiment_->metric.evaluate(*measures) : std::nullopt;
    if (!value) return std::nullopt;
    if (!best || (experiment_->lower_is_better ? *value < *best_value : *value > *best_value)) {
      best = other;
      best_value = value;
    }
  }
  return best;
}

std::optional<std::size_t> Measurements::variant_as_in(std::size_t row,
                                                       const Variant& variant) const {
  const std::size_t other = experiment_->variant_index(variant.as_in);
  const std::optional<std::size_t> shown = shown_variant(row, other);
  if (!shown) return std::nullopt;
  const std::vector<std::string>& candidates = experiment_->variants[other].best_of;
  const auto place =
      std::find(candidates.begin(), candidates.end(), experiment_->variants[*shown].name);
  return shown_variant(row, experiment_->variant_index(variant.best_of.at(
                                static_cast<std::size_t>(place - candidates.begin()))));
}

std::optional<double> Measurements::value(std::size_t row, std::string_view variant,
                                          const Metric& metric,
                                          std::string_view relative_to) const {
  const auto raw = [&](std::string_view name) -> std::optional<double> {
    const std::optional<std::size_t> run = shown_variant(row, experiment_->variant_index(name));
    return run ? metric.evaluate(*cell(row, *run)) : std::nullopt;
  };
  const std::optional<double> absolute = raw(variant);
  if (relative_to.empty() || !absolute) return absolute;
  const std::optional<double> base = raw(relative_to);
  if (!base || *base == 0) return std::nullopt;
  return *absolute / *base;
}

std::optional<double> Measurements::mean(Mean mean, std::string_view group,
                                         std::string_view variant, const Metric& metric,
                                         std::string_view relative_to) const {
  const auto each = [&](std::string_view name, std::string_view base) {
    Values values;
    for (std::size_t row = 0; row < experiment_->rows.size(); ++row) {
      if (!group.empty() && experiment_->rows[row].group != group) continue;
      values.push_back(value(row, name, metric, base));
    }
    return values;
  };
  if (mean != Mean::ratio_of_sums) return mean_of(each(variant, relative_to), mean);
  const std::optional<double> absolute = mean_of(each(variant, ""), Mean::arithmetic);
  const std::optional<double> base = mean_of(each(relative_to, ""), Mean::arithmetic);
  if (!absolute || !base || *base == 0) return std::nullopt;
  return *absolute / *base;
}

std::vector<Measurements> split_by_seed(const Experiment& experiment,
                                        std::vector<std::optional<Measures>> cells) {
  const std::size_t count = experiment.rows.size() * experiment.simulated_variants().size();
  std::vector<Measurements> seeds;
  for (auto first = std::make_move_iterator(cells.begin()); first.base() != cells.end();
       first += static_cast<std::ptrdiff_t>(count)) {
    seeds.emplace_back(experiment, std::vector(first, first + static_cast<std::ptrdiff_t>(count)));
  }
  return seeds;
}

std::optional<Spread> spread_of(const Values& values) {
  if (values.size() < 2 || std::find(values.begin(), values.end(), std::nullopt) != values.end()) {
    return std::nullopt;
  }
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return Spread{**least, **most};
}

namespace {

void add_value(TableRow& row, const Values& values, Mean mean) {
  row.values.push_back(mean_over_seeds(values, mean));
  row.spreads.push_back(spread_of(values));
}

/// The names of the candidates that a best-of cell shows: one name, unless the best candidate
/// depends on the seed.
std::string best_candidate_names(MeasurementsBySeed seeds, std::size_t row, std::size_t column) {
  const std::vector<Variant>& variants = seeds.front().experiment().variants;
  if (variants[column].is_simulated()) return "";
  std::vector<std::string> names;
  for (const Measurements& measured : seeds) {
    const std::optional<std::size_t> run = measured.shown_variant(row, column);
    if (!run) return "";
    const std::string& name = variants[*run].name;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return fmt::format("{}", fmt::join(names, " / "));
}

TableRow make_row(MeasurementsBySeed seeds, std::size_t row) {
  const Experiment& experiment = seeds.front().experiment();
  TableRow table_row{.name = experiment.rows[row].label};
  for (std::size_t i = 0; i < experiment.variants.size(); ++i) {
    const std::string& name = experiment.variants[i].name;
    const auto each = [&](const Metric& metric, const std::string& relative_to) {
      return map_seeds(seeds, [&](const Measurements& measured) {
        return measured.value(row, name, metric, relative_to);
      });
    };
    add_value(table_row, each(experiment.metric, experiment.normalise_to), experiment.mean);
    table_row.best.push_back(best_candidate_names(seeds, row, i));
    Values parts;
    for (const Part& part : experiment.parts) {
      parts.push_back(mean_over_seeds(each(part.metric, ""), Mean::arithmetic));
    }
    table_row.parts.push_back(std::move(parts));
  }
  return table_row;
}

TableRow make_mean(MeasurementsBySeed seeds, const std::string& group) {
  const Experiment& experiment = seeds.front().experiment();
  TableRow table_row{.name = fmt::format("{} mean{}{}", name_of(experiment.mean),
                                         group.empty() ? "" : ", ", group),
                     .group = group};
  for (const Variant& variant : experiment.variants) {
    const auto each = [&](Mean mean, const Metric& metric, const std::string& relative_to) {
      return map_seeds(seeds, [&](const Measurements& measured) {
        return measured.mean(mean, group, variant.name, metric, relative_to);
      });
    };
    add_value(table_row, each(experiment.mean, experiment.metric, experiment.normalise_to),
              experiment.mean);
    table_row.best.emplace_back();
    Values parts;
    for (const Part& part : experiment.parts) {
      parts.push_back(mean_over_seeds(each(Mean::arithmetic, part.metric, ""), Mean::arithmetic));
    }
    table_row.parts.push_back(std::move(parts));
  }
  return table_row;
}

}  // namespace

Table make_table(MeasurementsBySeed seeds) {
  const Experiment& experiment = seeds.front().experiment();
  Table table;
  for (std::size_t row = 0; row < experiment.rows.size(); ++row) {
    table.rows.push_back(make_row(seeds, row));
  }
  for (const std::string& group : experiment.groups()) {
    table.means.push_back(make_mean(seeds, group));
  }
  table.means.push_back(make_mean(seeds, ""));
  return table;
}

}  // namespace heddle::lab
