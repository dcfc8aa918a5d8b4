#include "lab/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle::lab {
namespace {

const Metric& metric_of(const Claim& claim, MeasurementsBySeed seeds) {
  return claim.metric ? *claim.metric : seeds.front().experiment().metric;
}

std::optional<double> value_of_row(const Claim& claim, std::string_view label, Mean mean,
                                   std::string_view variant, std::string_view relative_to,
                                   MeasurementsBySeed seeds) {
  const std::vector<Row>& rows = seeds.front().experiment().rows;
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.label == label; });
  const Values values = map_seeds(seeds, [&](const Measurements& measured) {
    return measured.value(static_cast<std::size_t>(row - rows.begin()), variant,
                          metric_of(claim, seeds), relative_to);
  });
  return mean_over_seeds(values, mean);
}

/// The mean over the seeds of a claim's metric, for a variant and the claim's rows, divided by that
/// of the variant `relative_to` if it is not empty.
std::optional<double> value_of(const Claim& claim, const ClaimedRows& rows,
                               std::string_view variant, std::string_view relative_to,
                               MeasurementsBySeed seeds) {
  if (!rows.workload.empty()) {
    return value_of_row(claim, rows.workload, rows.mean, variant, relative_to, seeds);
  }
  const Values values = map_seeds(seeds, [&](const Measurements& measured) {
    return measured.mean(rows.mean, rows.group, variant, metric_of(claim, seeds), relative_to);
  });
  return mean_over_seeds(values, rows.mean);
}

/// Whether each value is above the previous one. Empty if a value is missing.
std::optional<bool> is_increasing(const std::vector<std::optional<double>>& values) {
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

/// Whether all rows are in their expected class. Empty if a row was not measured and no other row
/// disagrees.
std::optional<bool> all_agree(const std::vector<ClassedRow>& rows) {
  bool all_measured = true;
  for (const ClassedRow& row : rows) {
    if (row.value && !row.agrees()) return false;
    all_measured = all_measured && row.value;
  }
  return all_measured ? std::optional(true) : std::nullopt;
}

/// The default tolerance of a share is ten points, but at most half of the distance from the share
/// to 0 or 1, whichever is nearer. For 95 %, values from 92.5 to 97.5 % hold. The default of the
/// other kinds, from half to twice the reported value, would accept nearly every value for a large
/// share.
double default_tolerance_of_share(double share) {
  return std::min(0.1, 0.5 * std::min(std::abs(share), std::abs(1 - share)));
}

bool is_within_tolerance(double measured, const ReportedValue& reported, const ClaimKind& kind) {
  const double difference = std::abs(measured - reported.nearest(measured));
  if (reported.tolerance) return difference <= *reported.tolerance;
  if (!reported.is_single()) return difference == 0;
  if (std::holds_alternative<Share>(kind))
    return difference <= default_tolerance_of_share(reported.least);
  const double ratio = measured / reported.least;
  return ratio >= 0.5 && ratio <= 2;
}

/// Whether a value that holds by the default tolerance is far from the reported number.
bool is_far_from(const ReportedValue& reported, double measured, const ClaimKind& kind) {
  if (reported.tolerance || !reported.is_single() || std::holds_alternative<Share>(kind)) {
    return false;
  }
  constexpr double kFarRatio = 1.25;
  const double ratio = measured / reported.least;
  return ratio > kFarRatio || ratio < 1 / kFarRatio;
}

/// Whether a gain or a saving has the reported sign, also when printed in per cent with one digit
/// after the point.
bool has_sign_of(double reported, double measured) {
  constexpr double kRoundsToZero = 0.0005;
  return measured * reported > 0 && std::abs(measured) >= kRoundsToZero;
}

/// The smallest step between successive values, as a fraction of the step's first value. Empty if a
/// value is missing or a step begins at 0.
std::optional<double> smallest_step(const std::vector<std::optional<double>>& values) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (!values[i - 1] || !values[i] || *values[i - 1] == 0) return std::nullopt;
    least = std::min(least, (*values[i] - *values[i - 1]) / std::abs(*values[i - 1]));
  }
  return least;
}

/// The fraction of rows in a wrong class. Empty if a row was not measured.
std::optional<double> fraction_in_wrong_class(const std::vector<ClassedRow>& rows) {
  double disagreeing = 0;
  for (const ClassedRow& row : rows) {
    if (!row.value) return std::nullopt;
    disagreeing += row.agrees() ? 0 : 1;
  }
  return disagreeing / static_cast<double>(rows.size());
}

ClaimVerdict judge_order(const Claim& claim, const Order& order, MeasurementsBySeed seeds) {
  ClaimVerdict verdict;
  for (std::size_t i = 0; i < order.variants.size(); ++i) {
    verdict.ordered_values.push_back(
        value_of(claim, order.rows, order.variants[i],
                 order.relative_to.empty() ? claim.relative_to : order.relative_to[i], seeds));
  }
  verdict.order_holds = is_increasing(verdict.ordered_values);
  verdict.distance = smallest_step(verdict.ordered_values);
  return verdict;
}

ClaimVerdict judge_classes(const Claim& claim, const Classes& classes, MeasurementsBySeed seeds) {
  ClaimVerdict verdict;
  for (const ExpectedClass& expected : classes.expected) {
    const auto value = value_of_row(claim, expected.row, Mean::arithmetic, classes.variant,
                                    claim.relative_to, seeds);
    verdict.classed_rows.push_back(
        {expected.row, expected.name, value, value ? class_of(*value, classes) : ""});
  }
  verdict.classes_hold = all_agree(verdict.classed_rows);
  verdict.distance = fraction_in_wrong_class(verdict.classed_rows);
  return verdict;
}

ClaimVerdict judge_value(const Claim& claim, const ReportedValue& reported,
                         MeasurementsBySeed seeds) {
  ClaimVerdict verdict;
  verdict.measured = value_of(claim, reported.rows, reported.variant, claim.relative_to, seeds);
  if (!verdict.measured) return verdict;
  double& value = *verdict.measured;
  if (std::holds_alternative<Gain>(claim.kind)) value = value - 1;
  if (std::holds_alternative<Saving>(claim.kind)) value = 1 - value;
  verdict.magnitude_holds = is_within_tolerance(value, reported, claim.kind);
  verdict.is_rough = *verdict.magnitude_holds && is_far_from(reported, value, claim.kind);
  const double nearest = reported.nearest(value);
  verdict.distance = value - nearest;
  if (std::holds_alternative<PlainValue>(claim.kind)) {
    verdict.distance = nearest != 0 ? std::optional(value / nearest - 1) : std::nullopt;
  }
  if (is_gain_or_saving(claim.kind) && reported.is_single() && nearest != 0) {
    // If the tolerance includes both signs, either sign is right.
    const bool allows_both_signs = reported.tolerance && std::abs(nearest) <= *reported.tolerance;
    verdict.sign_holds =
        (allows_both_signs && *verdict.magnitude_holds) || has_sign_of(nearest, value);
  }
  return verdict;
}

}  // namespace

bool ClaimVerdict::holds() const {
  return is_judged() && sign_holds.value_or(true) && order_holds.value_or(true) &&
         classes_hold.value_or(true) && magnitude_holds.value_or(true);
}

ClaimVerdict judge(const Claim& claim, MeasurementsBySeed seeds) {
  if (const Order* const order = std::get_if<Order>(&claim.kind)) {
    return judge_order(claim, *order, seeds);
  }
  if (const Classes* const classes = std::get_if<Classes>(&claim.kind)) {
    return judge_classes(claim, *classes, seeds);
  }
  return judge_value(claim, *reported_value(claim.kind), seeds);
}

}  // namespace heddle::lab
