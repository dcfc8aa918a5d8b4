#include "lab/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::lab {
namespace {

const Metric& metric_of(const Claim& claim, Seeds seeds) {
  return claim.metric ? *claim.metric : seeds.front().experiment().metric;
}

std::optional<double> value_of_row(const Claim& claim, std::string_view label, Mean mean,
                                   std::string_view variant, Seeds seeds) {
  const std::vector<Row>& rows = seeds.front().experiment().rows;
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.label == label; });
  const Values values = of_each(seeds, [&](const Measured& measured) {
    return measured.value(static_cast<std::size_t>(row - rows.begin()), variant,
                          metric_of(claim, seeds), claim.relative_to);
  });
  return mean_over_seeds(values, mean);
}

std::optional<double> value_of(const Claim& claim, const ClaimedRows& rows,
                               std::string_view variant, Seeds seeds) {
  if (!rows.workload.empty()) {
    return value_of_row(claim, rows.workload, rows.mean, variant, seeds);
  }
  const Values values = of_each(seeds, [&](const Measured& measured) {
    return measured.mean(rows.mean, rows.group, variant, metric_of(claim, seeds),
                         claim.relative_to);
  });
  return mean_over_seeds(values, rows.mean);
}

std::optional<bool> rises(const std::vector<std::optional<double>>& values) {
  for (const auto& value : values) {
    if (!value) return std::nullopt;
  }
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!(*values[i - 1] < *values[i])) return false;
  }
  return true;
}

const std::string& class_of(double value, const Classes& classes) {
  const auto above = std::upper_bound(classes.bounds.begin(), classes.bounds.end(), value);
  return classes.names[static_cast<std::size_t>(above - classes.bounds.begin())];
}

/// A row that was not measured leaves no verdict on all, unless another disagrees.
std::optional<bool> all_agree(const std::vector<ClassedRow>& rows) {
  bool complete = true;
  for (const ClassedRow& row : rows) {
    if (row.value && !row.agrees()) return false;
    complete = complete && row.value;
  }
  return complete ? std::optional(true) : std::nullopt;
}

/// Of a share ten points at most, and no more than half of what it is from 0 or 1: of 95 % between
/// 92.5 and 97.5 %. In half to twice of it nearly every large share would lie.
double usual_distance_of_share(double share) {
  return std::min(0.1, 0.5 * std::min(std::abs(share), std::abs(1 - share)));
}

bool near(double measured, const ReportedValue& reported, const ClaimKind& kind) {
  const double away = std::abs(measured - reported.value);
  if (reported.within) return away <= *reported.within;
  if (std::holds_alternative<Share>(kind)) return away <= usual_distance_of_share(reported.value);
  const double times = measured / reported.value;
  return times >= 0.5 && times <= 2;
}

std::optional<double> least_step(const std::vector<std::optional<double>>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!values[i - 1] || !values[i] || *values[i - 1] == 0) return std::nullopt;
    least = std::min(least, (*values[i] - *values[i - 1]) / std::abs(*values[i - 1]));
  }
  return least;
}

std::optional<double> share_that_disagrees(const std::vector<ClassedRow>& rows) {
  double disagreeing = 0;
  for (const ClassedRow& row : rows) {
    if (!row.value) return std::nullopt;
    disagreeing += row.agrees() ? 0 : 1;
  }
  return disagreeing / static_cast<double>(rows.size());
}

ClaimVerdict judge_order(const Claim& claim, const Order& order, Seeds seeds) {
  ClaimVerdict verdict;
  for (const std::string& variant : order.variants) {
    verdict.in_order.push_back(value_of(claim, order.rows, variant, seeds));
  }
  verdict.order = rises(verdict.in_order);
  verdict.distance = least_step(verdict.in_order);
  return verdict;
}

ClaimVerdict judge_classes(const Claim& claim, const Classes& classes, Seeds seeds) {
  ClaimVerdict verdict;
  for (const ExpectedClass& expected : classes.expected) {
    const auto value = value_of_row(claim, expected.row, Mean::arithmetic, classes.variant, seeds);
    verdict.classed.push_back(
        {expected.row, expected.name, value, value ? class_of(*value, classes) : ""});
  }
  verdict.classes = all_agree(verdict.classed);
  verdict.distance = share_that_disagrees(verdict.classed);
  return verdict;
}

ClaimVerdict judge_value(const Claim& claim, const ReportedValue& reported, Seeds seeds) {
  ClaimVerdict verdict;
  verdict.measured = value_of(claim, reported.rows, reported.variant, seeds);
  if (!verdict.measured) return verdict;
  double& value = *verdict.measured;
  if (std::holds_alternative<Gain>(claim.kind)) value = value - 1;
  if (std::holds_alternative<Saving>(claim.kind)) value = 1 - value;
  verdict.magnitude = near(value, reported, claim.kind);
  verdict.distance = value - reported.value;
  if (std::holds_alternative<Figure>(claim.kind)) {
    verdict.distance =
        reported.value != 0 ? std::optional(value / reported.value - 1) : std::nullopt;
  }
  if (compares(claim.kind) && reported.value != 0) {
    // Of a claim that allows for both sides, either is right.
    const bool both_sides = reported.within && std::abs(reported.value) <= *reported.within;
    verdict.sign = (both_sides && *verdict.magnitude) || value * reported.value > 0;
  }
  return verdict;
}

}  // namespace

bool ClaimVerdict::holds() const {
  return judged() && sign.value_or(true) && order.value_or(true) && classes.value_or(true) &&
         magnitude.value_or(true);
}

ClaimVerdict judge(const Claim& claim, Seeds seeds) {
  if (const Order* const order = std::get_if<Order>(&claim.kind)) {
    return judge_order(claim, *order, seeds);
  }
  if (const Classes* const classes = std::get_if<Classes>(&claim.kind)) {
    return judge_classes(claim, *classes, seeds);
  }
  return judge_value(claim, *reported_value(claim.kind), seeds);
}

}  // namespace heddle::lab
