#pragma once

// What an experiment measured: workloads by variants, and means.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/experiment.h"
#include "lab/measures.h"

namespace heddle::lab {

/// The runs of an experiment, by its rows and columns; empty where a run failed.
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

using Values = std::vector<std::optional<double>>;

struct TableRow {
  std::string name;     ///< A row's label; for means "geometric mean", with ", group" where of one.
  std::string group{};  ///< Of a mean: that it is of; empty: of all rows.
  Values values{};      ///< By variant.
  std::vector<Values> parts{};      ///< By variant, then by part; a mean's are arithmetic means.
  std::vector<std::string> best{};  ///< By variant: which other stands in it; else empty.
};

struct Table {
  std::vector<TableRow> rows;
  std::vector<TableRow> means;
};

Table make_table(const Measured& measured);

}  // namespace heddle::lab
