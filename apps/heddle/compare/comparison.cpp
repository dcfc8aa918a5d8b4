#include "compare/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heddle {
namespace {

using Values = std::map<std::string, double>;

/// The values of both maps by name; 0 where a map lacks one.
std::vector<ChangedValue> paired(const Values& before, const Values& after) {
  Values merged = before;
  merged.insert(after.begin(), after.end());
  std::vector<ChangedValue> pairs;
  for (const auto& [name, unused] : merged) {
    const auto in_before = before.find(name);
    const auto in_after = after.find(name);
    pairs.push_back({name, in_before == before.end() ? 0 : in_before->second,
                     in_after == after.end() ? 0 : in_after->second});
  }
  return pairs;
}

void keep_differing(std::vector<ChangedValue>& values) {
  std::erase_if(values, [](const ChangedValue& value) { return value.before == value.after; });
}

/// Sorts by a weight, the largest first; equal ones stay in the order of their names.
template <class Weight>
void sort_by(std::vector<ChangedValue>& values, const Weight& weight) {
  std::stable_sort(values.begin(), values.end(), [&](const ChangedValue& a, const ChangedValue& b) {
    return weight(a) > weight(b);
  });
}

double difference(const ChangedValue& value) { return std::abs(value.after - value.before); }

/// How many times as large the larger value is.
double ratio(const ChangedValue& value) {
  const double least = std::min(std::abs(value.before), std::abs(value.after));
  const double most = std::max(std::abs(value.before), std::abs(value.after));
  return least == 0 ? std::numeric_limits<double>::infinity() : most / least;
}

/// The values as shares of their sum.
Values shares_of(Values values) {
  double sum = 0;
  for (const auto& [name, value] : values) sum += value;
  if (sum == 0) return {};
  for (auto& [name, value] : values) value /= sum;
  return values;
}

}  // namespace

std::vector<ChangedParameter> changed_parameters(const SavedRun& before, const SavedRun& after) {
  std::map<std::string, ChangedParameter> all;
  for (const auto& [name, value] : before.parameters) all[name] = {name, value, "-"};
  for (const auto& [name, value] : after.parameters) {
    all.try_emplace(name, ChangedParameter{name, "-", ""}).first->second.after = value;
  }
  std::vector<ChangedParameter> changed;
  for (const auto& [name, parameter] : all) {
    if (parameter.before != parameter.after) changed.push_back(parameter);
  }
  return changed;
}

std::vector<ChangedValue> changed_slots(const SavedCounts& before, const SavedCounts& after) {
  std::vector<ChangedValue> slots =
      paired(shares_of(before.issue_slots), shares_of(after.issue_slots));
  keep_differing(slots);
  sort_by(slots, difference);
  return slots;
}

std::vector<ChangedValue> changed_counters(const SavedCounts& before, const SavedCounts& after) {
  std::vector<ChangedValue> counters = paired(before.counters, after.counters);
  keep_differing(counters);
  const double least = std::max(before.warp_instructions, after.warp_instructions) / 1000;
  // Of the counters that are 0 in one run, the largest comes first.
  sort_by(counters, difference);
  sort_by(counters, [&](const ChangedValue& counter) {
    const bool seldom = std::max(counter.before, counter.after) < least;
    return seldom ? 0 : ratio(counter);
  });
  return counters;
}

std::vector<ChangedValue> changed_kernels(const SavedRun& before, const SavedRun& after) {
  const auto cycles_of = [](const SavedRun& run) {
    Values cycles;
    for (const SavedCounts& kernel : run.kernels) cycles[kernel.name] += kernel.cycles;
    return cycles;
  };
  std::vector<ChangedValue> kernels = paired(cycles_of(before), cycles_of(after));
  keep_differing(kernels);
  sort_by(kernels, difference);
  return kernels;
}

std::string change_text(double before, double after) {
  if (before == after) return "same";
  if (before == 0) return "new";
  if (after == 0) return "gone";
  const double factor = after / before;
  if (factor > 10) return fmt::format("x {:.4g}", factor);
  return fmt::format("{:+.1f} %", (factor - 1) * 100);
}

}  // namespace heddle
