#include "lab/verdict.h"

#include <algorithm>
#include <cmath>

namespace heddle::lab {
namespace {

std::optional<double> value_of_row(const Claim& claim, std::string_view label,
                                   std::string_view variant, const Measured& measured) {
  const Experiment& experiment = measured.experiment();
  const auto row = std::find_if(experiment.rows.begin(), experiment.rows.end(),
                                [&](const Row& r) { return r.label == label; });
  return measured.value(static_cast<std::size_t>(row - experiment.rows.begin()), variant,
                        claim.metric ? *claim.metric : experiment.metric, claim.relative_to);
}

std::optional<double> value_of(const Claim& claim, std::string_view variant,
                               const Measured& measured) {
  if (!claim.workload.empty()) return value_of_row(claim, claim.workload, variant, measured);
  return measured.mean(claim.mean, claim.group, variant,
                       claim.metric ? *claim.metric : measured.experiment().metric,
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

const std::string& class_of(double value, const Claim& claim) {
  const auto above = std::upper_bound(claim.bounds.begin(), claim.bounds.end(), value);
  return claim.class_names[static_cast<std::size_t>(above - claim.bounds.begin())];
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

bool near(double measured, const Claim& claim) {
  if (claim.within) return std::abs(measured - claim.value) <= *claim.within;
  const double times = measured / claim.value;
  return times >= 0.5 && times <= 2;
}

}  // namespace

bool ClaimVerdict::holds() const {
  return judged() && sign.value_or(true) && order.value_or(true) && classes.value_or(true) &&
         magnitude.value_or(true);
}

ClaimVerdict judge(const Claim& claim, const Measured& measured) {
  ClaimVerdict verdict;
  if (claim.kind == Claim::Kind::order) {
    for (const std::string& variant : claim.order) {
      verdict.in_order.push_back(value_of(claim, variant, measured));
    }
    verdict.order = rises(verdict.in_order);
    return verdict;
  }
  if (claim.kind == Claim::Kind::classes) {
    for (const ExpectedClass& expected : claim.expected) {
      const auto value = value_of_row(claim, expected.row, claim.variant, measured);
      verdict.classed.push_back(
          {expected.row, expected.name, value, value ? class_of(*value, claim) : ""});
    }
    verdict.classes = all_agree(verdict.classed);
    return verdict;
  }
  verdict.measured = value_of(claim, claim.variant, measured);
  if (!verdict.measured) return verdict;
  double& value = *verdict.measured;
  if (claim.kind == Claim::Kind::gain) value = value - 1;
  if (claim.kind == Claim::Kind::saving) value = 1 - value;
  verdict.magnitude = near(value, claim);
  if ((claim.kind == Claim::Kind::gain || claim.kind == Claim::Kind::saving) && claim.value != 0) {
    // Of a claim that allows for both sides, either is right.
    const bool both_sides = claim.within && std::abs(claim.value) <= *claim.within;
    verdict.sign = (both_sides && *verdict.magnitude) || value * claim.value > 0;
  }
  return verdict;
}

}  // namespace heddle::lab
