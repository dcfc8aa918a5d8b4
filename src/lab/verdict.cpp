#include "lab/verdict.h"

#include <algorithm>
#include <cmath>

namespace heddle::lab {
namespace {

const Metric& metric_of(const Claim& claim, const Measured& measured) {
  return claim.metric ? *claim.metric : measured.experiment().metric;
}

std::optional<double> value_of_row(const Claim& claim, std::string_view label,
                                   std::string_view variant, const Measured& measured) {
  const std::vector<Row>& rows = measured.experiment().rows;
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.label == label; });
  return measured.value(static_cast<std::size_t>(row - rows.begin()), variant,
                        metric_of(claim, measured), claim.relative_to);
}

std::optional<double> value_of(const Claim& claim, const ClaimedRows& rows,
                               std::string_view variant, const Measured& measured) {
  if (!rows.workload.empty()) return value_of_row(claim, rows.workload, variant, measured);
  return measured.mean(rows.mean, rows.group, variant, metric_of(claim, measured),
                       claim.relative_to);
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

bool near(double measured, const ReportedValue& reported) {
  if (reported.within) return std::abs(measured - reported.value) <= *reported.within;
  const double times = measured / reported.value;
  return times >= 0.5 && times <= 2;
}

ClaimVerdict judge_order(const Claim& claim, const Order& order, const Measured& measured) {
  ClaimVerdict verdict;
  for (const std::string& variant : order.variants) {
    verdict.in_order.push_back(value_of(claim, order.rows, variant, measured));
  }
  verdict.order = rises(verdict.in_order);
  return verdict;
}

ClaimVerdict judge_classes(const Claim& claim, const Classes& classes, const Measured& measured) {
  ClaimVerdict verdict;
  for (const ExpectedClass& expected : classes.expected) {
    const auto value = value_of_row(claim, expected.row, classes.variant, measured);
    verdict.classed.push_back(
        {expected.row, expected.name, value, value ? class_of(*value, classes) : ""});
  }
  verdict.classes = all_agree(verdict.classed);
  return verdict;
}

ClaimVerdict judge_value(const Claim& claim, const ReportedValue& reported,
                         const Measured& measured) {
  ClaimVerdict verdict;
  verdict.measured = value_of(claim, reported.rows, reported.variant, measured);
  if (!verdict.measured) return verdict;
  double& value = *verdict.measured;
  if (std::holds_alternative<Gain>(claim.kind)) value = value - 1;
  if (std::holds_alternative<Saving>(claim.kind)) value = 1 - value;
  verdict.magnitude = near(value, reported);
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

ClaimVerdict judge(const Claim& claim, const Measured& measured) {
  if (const Order* const order = std::get_if<Order>(&claim.kind)) {
    return judge_order(claim, *order, measured);
  }
  if (const Classes* const classes = std::get_if<Classes>(&claim.kind)) {
    return judge_classes(claim, *classes, measured);
  }
  return judge_value(claim, *reported_value(claim.kind), measured);
}

}  // namespace heddle::lab
