#include "workload/check_result.h"

#include <fmt/format.h>

#include <utility>

namespace heddle::workload {
namespace {

constexpr std::size_t kShown = 8;

}  // namespace

bool CheckResult::same_count(std::string_view what, std::size_t got, std::size_t want) {
  compared_ += want;
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
  if (!std::isfinite(want)) {  // No bound is wide enough, nor may one be infinite.
    return differ(what, index, fmt::format("{}", got), fmt::format("{}", want));
  }
  const double allowed = bound.absolute + bound.relative * std::abs(want);
  const double error = std::abs(got - want);
  if (error <= allowed) {  // False where either is NaN.
    bounds_.back().used = std::max(bounds_.back().used, error / allowed);
  } else {
    differ(what, index, fmt::format("{}", got), fmt::format("{}", want));
  }
}

void CheckResult::differ(std::string_view what, std::size_t index, std::string got,
                         std::string want) {
  ++differing_;
  if (differences_.size() < kShown) {
    differences_.push_back({fmt::format("{}[{}]", what, index), std::move(got), std::move(want)});
  }
}

void CheckResult::require(bool holds, std::string_view what, std::string got, std::string want) {
  ++compared_;
  if (holds) return;
  ++differing_;
  if (differences_.size() < kShown) {
    differences_.push_back({std::string(what), std::move(got), std::move(want)});
  }
}

}  // namespace heddle::workload
