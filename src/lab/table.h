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
  /// `cells`: row by row.
  Measured(const Experiment& experiment, std::vector<std::optional<Measures>> cells)
      : experiment_(&experiment), cells_(std::move(cells)) {}

  /// Empty where there is no run, or no such figure. `relative_to`: a variant whose own value it is
  /// divided by; empty: none.
  std::optional<double> value(std::size_t row, std::string_view variant, const Metric& metric,
                              std::string_view relative_to) const;
  /// Of a variant over the rows of a group; over all where it is empty.
  std::optional<double> mean(Mean mean, std::string_view group, std::string_view variant,
                             const Metric& metric, std::string_view relative_to) const;

  const Experiment& experiment() const { return *experiment_; }

 private:
  const Experiment* experiment_;
  std::vector<std::optional<Measures>> cells_;
};

struct TableRow {
  std::string name;  ///< A row's label; for means "geometric mean", with ", group" where of one.
  std::vector<std::optional<double>> values{};  ///< By variant.
};

struct Table {
  std::vector<TableRow> rows;
  std::vector<TableRow> means;
};

Table make_table(const Measured& measured);

}  // namespace heddle::lab
