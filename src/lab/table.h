#pragma once

// What an experiment measured: workloads by variants, and means.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment.h"
#include "lab/measures.h"

namespace heddle::lab {

/// The runs of an experiment with one seed, by its rows and columns; empty where a run failed.
class Measured {
 public:
  /// `cells`: row by row, of the variants that are simulated.
  Measured(const Experiment& experiment, std::vector<std::optional<Measures>> cells);

  /// The variant whose run stands in a cell: of what is the best of others the best of them, the
  /// first where several are as good. Empty where one of them is missing: the best of those that
  /// are left would be another figure.
  std::optional<std::size_t> run_of(std::size_t row, std::size_t variant) const;
  /// Empty where there is no run, or no such figure. `relative_to`: a variant whose own value it is
  /// divided by; empty: none.
  std::optional<double> value(std::size_t row, std::string_view variant, const Metric& metric,
                              std::string_view relative_to) const;
  /// Of a variant over the rows of a group; over all where it is empty.
  std::optional<double> mean(Mean mean, std::string_view group, std::string_view variant,
                             const Metric& metric, std::string_view relative_to) const;

  const Experiment& experiment() const { return *experiment_; }

 private:
  const std::optional<Measures>& cell(std::size_t row, std::size_t simulated_variant) const;

  const Experiment* experiment_;
  std::vector<std::optional<Measures>> cells_;
  std::vector<std::size_t> columns_;  ///< By variant: where its cells are, if it is simulated.
  std::size_t column_count_ = 0;
};

/// What was measured with each seed, the experiment's first.
using Seeds = std::span<const Measured>;
/// `cells`: all of the first seed, then those of the next.
std::vector<Measured> by_seed(const Experiment& experiment,
                              std::vector<std::optional<Measures>> cells);

using Values = std::vector<std::optional<double>>;
/// What `of` makes of each seed.
template <class Of>
Values of_each(Seeds seeds, const Of& of) {
  Values values;
  for (const Measured& measured : seeds) values.push_back(of(measured));
  return values;
}

/// Between which a value lies, over seeds.
struct Spread {
  double least = 0;
  double most = 0;
};
/// Empty where there are not several, or one of them is missing.
std::optional<Spread> spread_of(const Values& values);

struct TableRow {
  std::string name;     ///< A row's label; for means "geometric mean", with ", group" where of one.
  std::string group{};  ///< Of a mean: that it is of; empty: of all rows.
  Values values{};      ///< By variant: means over the seeds.
  std::vector<std::optional<Spread>> spreads{};  ///< By variant, where there are several seeds.
  std::vector<Values> parts{};  ///< By variant, then by part; a mean's are arithmetic means.
  /// By variant: which other stands in it, "a / b" where that depends on the seed; else empty.
  std::vector<std::string> best{};
};

struct Table {
  std::vector<TableRow> rows;
  std::vector<TableRow> means;
};

Table make_table(Seeds seeds);

}  // namespace heddle::lab
