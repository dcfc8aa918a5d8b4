#pragma once

// The table of an experiment's results: a row for each workload, a column for each variant, and
// means over rows.

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
  /// `cells` has one cell for each simulated variant, row by row.
  Measurements(const Experiment& experiment, std::vector<std::optional<Measures>> cells);

  /// The index of the simulated variant whose run a cell shows. A best-of variant
  /// (Variant::best_of) shows its best candidate, the first one if several are equally good. Empty
  /// if the run of any candidate is missing, because the best of the other candidates would be a
  /// different quantity.
  std::optional<std::size_t> shown_variant(std::size_t row, std::size_t variant) const;
  /// As shown_variant(), for a variant with Variant::as_in.
  std::optional<std::size_t> variant_as_in(std::size_t row, const Variant& variant) const;
  /// The metric's value in a cell. If `relative_to` names a variant, the value is divided by that
  /// of the named variant. Empty if a run or a measure is missing.
  std::optional<double> value(std::size_t row, std::string_view variant, const Metric& metric,
                              std::string_view relative_to) const;
  /// The mean of a variant's values over the rows of a group, or over all rows if `group` is empty.
  /// Empty if a value is missing.
  std::optional<double> mean(Mean mean, std::string_view group, std::string_view variant,
                             const Metric& metric, std::string_view relative_to) const;

  const Experiment& experiment() const { return *experiment_; }

 private:
  const std::optional<Measures>& cell(std::size_t row, std::size_t simulated_variant) const;

  const Experiment* experiment_;
  std::vector<std::optional<Measures>> cells_;
  std::vector<std::size_t> columns_;  ///< By variant: its column in `cells_`, if it is simulated.
  std::size_t column_count_ = 0;
};

/// The measurements of each seed, in the order of the seeds.
using MeasurementsBySeed = std::span<const Measurements>;
/// Splits `cells`, which has all cells of the first seed, then those of the next, and so on.
std::vector<Measurements> split_by_seed(const Experiment& experiment,
                                        std::vector<std::optional<Measures>> cells);

using Values = std::vector<std::optional<double>>;
/// The values of `function` for each seed's measurements.
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
  std::string name;  ///< The row's label; for a mean "geometric mean" or "geometric mean, GROUP".
  std::string group{};                           ///< The group that a mean covers; empty: all rows.
  Values values{};                               ///< By variant: the mean over the seeds.
  std::vector<std::optional<Spread>> spreads{};  ///< By variant; empty if there is only one seed.
  std::vector<Values> parts{};  ///< By variant, then by part. A mean has arithmetic means.
  /// By variant: the name of the best candidate of a best-of variant, or "a / b" if the best one
  /// depends on the seed; empty for simulated variants.
  std::vector<std::string> best{};
};

struct Table {
  std::vector<TableRow> rows;
  std::vector<TableRow> means;  ///< The mean of each group, then the mean of all rows.
};

Table make_table(MeasurementsBySeed seeds);

}  // namespace heddle::lab
