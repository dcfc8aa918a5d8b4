#include "workload/check_result.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::workload {
namespace {

constexpr std::size_t kMaxDifferences = 8;

}  // namespace

bool CheckResult::check_count(std::string_view what, std::size_t got, std::size_t want) {
  compared_count_ += want;
  if (got == want) return true;
  require(false, fmt::format("number of {}", what), std::to_string(got), std::to_string(want));
  return false;
}

void CheckResult::begin_bound(std::string_view what, const Bound& bound) {
  bounds_.push_back({.what = std::string(what), .bound = bound});
}

void CheckResult::compare_close(std::string_view what, std::size_t index, double got, double want,
                                const Bound& bound) {
  if (got == want || (std::isnan(got) && std::isnan(want))) return;
  if (!std::isfinite(want)) {  // A relative bound would be infinite and allow every value.
    return differ(what, index, fmt::format("{}", got), fmt::format("{}", want));
  }
  const double allowed = bound.absolute + bound.relative * std::abs(want);
  const double error = std::abs(got - want);
  if (error <= allowed) {  // False if `got` is NaN.
    bounds_.back().used_fraction = std::max(bounds_.back().used_fraction, error / allowed);
  } else {
    differ(what, index, fmt::format("{}", got), fmt::format("{}", want));
  }
}

void CheckResult::differ(std::string_view what, std::size_t index, std::string got,
                         std::string want) {
  ++differing_count_;
  if (differences_.size() < kMaxDifferences) {
    differences_.push_back({fmt::format("{}[{}]", what, index), std::move(got), std::move(want)});
  }
}

void CheckResult::require(bool holds, std::string_view what, std::string got, std::string want) {
  ++compared_count_;
  if (holds) return;
  ++differing_count_;
  if (differences_.size() < kMaxDifferences) {
    differences_.push_back({std::string(what), std::move(got), std::move(want)});
  }
}

}  // namespace heddle::workload
