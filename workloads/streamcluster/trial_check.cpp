#include "trial_check.h"

#include <algorithm>
#include <cstddef>

namespace heddle::workload::streamcluster {
namespace {

std::size_t index(std::int32_t point) { return static_cast<std::size_t>(point); }

double cost(const PointSet& set, std::size_t point, std::size_t other) {
  double square = 0;
  for (std::size_t d = 0; d < set.dimensions; ++d) {
    const double difference = static_cast<double>(set.coordinate(point, d)) -
                              static_cast<double>(set.coordinate(other, d));
    square += difference * difference;
  }
  return static_cast<double>(set.weights[point]) * square;
}

std::vector<double> costs_of(const PointSet& set, const Solution& solution) {
  std::vector<double> costs;
  for (std::size_t i = 0; i < set.count(); ++i) {
    costs.push_back(cost(set, i, index(solution.points[i].centre)));
  }
  return costs;
}

/// The compared values of all trials, as shares of the costs that the numbers are differences of.
struct Comparison {
  std::vector<double> saved, want_saved;
  std::vector<double> regrets;  ///< The highest cost of a wrong choice by a point, for each trial.
};

void gather(const PointSet& set, const Solution& solution, const std::vector<double>& costs,
            const Trial& trial, Comparison& gathered) {
  const std::size_t centres = solution.centres.size();
  std::vector<double> want(centres + 1, 0), scale(centres + 1, 0);
  std::vector<std::size_t> columns(set.count(), 0);
  for (std::size_t c = 0; c < centres; ++c) columns[index(solution.centres[c])] = c;
  double regret = 0;
  for (std::size_t i = 0; i < set.count(); ++i) {
    const double by_candidate = cost(set, i, index(trial.candidate));
    const std::size_t own_column = columns[index(solution.points[i].centre)];
    const std::size_t column = by_candidate < costs[i] ? centres : own_column;
    want[column] += costs[i] - by_candidate;
    const double both = costs[i] + by_candidate;
    scale[own_column] += both;
    scale[centres] += both;
    const double chosen = trial.switches[i] != 0 ? by_candidate : costs[i];
    if (both > 0) regret = std::max(regret, (chosen - std::min(by_candidate, costs[i])) / both);
  }
  for (std::size_t c = 0; c <= centres; ++c) {
    const double unit = scale[c] > 0 ? scale[c] : 1;
    gathered.saved.push_back(trial.saved[c] / unit);
    gathered.want_saved.push_back(want[c] / unit);
  }
  gathered.regrets.push_back(regret);
}

}  // namespace

void check_trials(const std::vector<Search>& searches, CheckResult& check) {
  Comparison gathered;
  std::size_t dimensions = 0;
  for (const Search& search : searches) {
    dimensions = search.points.dimensions;
    for (const Stage& stage : search.stages) {
      const std::vector<double> costs = costs_of(search.points, stage.solution);
      for (const Trial& trial : stage.trials) {
        gather(search.points, stage.solution, costs, trial, gathered);
      }
    }
  }
  // A squared distance has three roundings of each square, and one with each sum; the weight's
  // product and the difference have one each. A wrong switch costs a
  // point at most this error.
  const double roundings = static_cast<double>(dimensions) + 5;
  const Bound bound{.absolute = roundings * 0x1p-24,
                    .reason = "as a share of the costs: a rounding of 2^-24 a dimension, and five"};
  check.close("saved", gathered.saved, gathered.want_saved, bound);
  check.close("points with the cheaper of two centres", gathered.regrets,
              std::vector<double>(gathered.regrets.size(), 0), bound);
}

}  // namespace heddle::workload::streamcluster
