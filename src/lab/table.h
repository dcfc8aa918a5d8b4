#pragma once

// The table of an experiment's results: workloads by variants, and means.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment.h"
#include "lab/measures.h"

namespace heddle::lab {

/// The measurements of an experiment with one seed, by row and column. The cell of a failed run is
/// empty.
class Measurements {
 public:
  /// `cells`: row by row, one cell for each simulated variant.
  Measurements(const Experiment& experiment, std::vector<std::optional<Measures>> cells);

  /// The index of the simulated variant whose run a cell shows. For a best-of variant this is the
  /// best candidate, the first one among equals. Empty if the run of any candidate is missing,
  /// because the best of the other candidates would be a different quantity.
  std::optional<std::size_t> shown_variant(std::size_t row, std::size_t variant) const;
  /// The metric's value in a cell. If `relative_to` names a variant, the value is divided by that
  /// variant's. Empty if a run or a measure is missing.
  std::optional<double> value(std::size_t row, std::string_view variant, const Metric& metric,
                              std::string_view relative_to) const;
  /// The mean of a variant over the rows of a group, or over all rows if `group` is empty.
  std::optional<double> mean(Mean mean, std::string_view group, std::string_view variant,
                             const Metric& metric, std::string_view relative_to) const;

  const Experiment& experiment() const { return *experiment_; }

 private:
  const std::optional<Measures>& cell(std::size_t row, std::size_t simulated_variant) const;

  const Experiment* experiment_;
  std::vector<std::optional<Measures>> cells_;
  std::vector<std::size_t> columns_;  ///< By variant: the column of its cells, if simulated.
  std::size_t column_count_ = 0;
};

/// The measurements of each seed, in the order of the seeds.
using MeasurementsBySeed = std::span<const Measurements>;
/// Splits the cells of all seeds: `cells` has all cells of the first seed, then those of the next.
std::vector<Measurements> split_by_seed(const Experiment& experiment,
                                        std::vector<std::optional<Measures>> cells);

using Values = std::vector<std::optional<double>>;
/// Applies `function` to each seed's measurements.
template <class Function>
Values map_seeds(MeasurementsBySeed seeds, const Function& function) {
  Values values;
  for (const Measurements& measured : seeds) values.push_back(function(measured));
  return values;
}

/// The range of a value over the seeds.
struct Spread {
  double least = 0;
  double most = 0;
};
/// Empty if there are fewer than two values or if a value is missing.
std::optional<Spread> spread_of(const Values& values);

struct TableRow {
  std::string name;     ///< A row's label, or "geometric mean" or "geometric mean, GROUP".
  std::string group{};  ///< The group that a mean covers; empty: all rows.
  Values values{};      ///< By variant: means over the seeds.
  std::vector<std::optional<Spread>> spreads{};  ///< By variant, if there are several seeds.
  std::vector<Values> parts{};  ///< By variant, then by part; in a mean: arithmetic means.
  /// By variant: the name of the best candidate of a best-of variant, or "a / b" if the best one
  /// depends on the seed; empty for simulated variants.
  std::vector<std::string> best{};
};

struct Table {
  std::vector<TableRow> rows;
  std::vector<TableRow> means;  ///< Of each group, then of all rows.
};

Table make_table(MeasurementsBySeed seeds);

}  // namespace heddle::lab
