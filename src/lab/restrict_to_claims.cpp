#include "lab/restrict_to_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/nearest.h"

namespace heddle::lab {
namespace {

/// Collects the variants that some claims need.
class NeededVariants {
 public:
  explicit NeededVariants(const Experiment& experiment) : experiment_(experiment) {
    add(experiment.normalise_to);
    for (const Claim& claim : experiment.claims) {
      add(claim.relative_to);
      add(variant_of(claim.kind));
      if (const Order* const order = std::get_if<Order>(&claim.kind)) {
        for (const std::string& variant : order->variants) add(variant);
        for (const std::string& variant : order->relative_to) add(variant);
      }
    }
  }

  bool contains(const std::string& variant) const { return names_.contains(variant); }

 private:
  /// Adds a variant, and those whose runs it shows. Ignores an empty name.
  void add(const std::string& name) {
    if (name.empty() || !names_.insert(name).second) return;
    const Variant& variant = experiment_.variants[experiment_.variant_index(name)];
    for (const std::string& candidate : variant.best_of) add(candidate);
    add(variant.as_in);
    for (const Row& row : experiment_.rows) {
      if (const std::string* const other = row.substitute_of(name)) add(*other);
    }
  }

  const Experiment& experiment_;
  std::set<std::string> names_{};
};

/// Whether a claim is about the row, alone or within a mean.
bool needs_row(const Claim& claim, const Row& row) {
  if (const Classes* const classes = std::get_if<Classes>(&claim.kind)) {
    return std::any_of(classes->expected.begin(), classes->expected.end(),
                       [&](const ExpectedClass& expected) { return expected.row == row.label; });
  }
  const ClaimedRows rows = rows_of(claim.kind);
  if (!rows.workload.empty()) return rows.workload == row.label;
  return rows.group.empty() || rows.group == row.group;
}

}  // namespace

void restrict_to_claims(Experiment& experiment, const std::vector<std::string>& ids) {
  std::vector<std::string> known;
  for (const Claim& claim : experiment.claims) known.push_back(claim.id);
  for (const std::string& id : ids) {
    if (std::find(known.begin(), known.end(), id) != known.end()) continue;
    throw InputError(fmt::format("experiment '{}' has no claim '{}'{}", experiment.name, id,
                                 suggestion(id, known)));
  }
  std::erase_if(experiment.claims, [&](const Claim& claim) {
    return std::find(ids.begin(), ids.end(), claim.id) == ids.end();
  });
  for (Claim& claim : experiment.claims) claim.readings.clear();
  std::erase_if(experiment.rows, [&](const Row& row) {
    return std::none_of(experiment.claims.begin(), experiment.claims.end(),
                        [&](const Claim& claim) { return needs_row(claim, row); });
  });
  const NeededVariants needed(experiment);
  std::erase_if(experiment.variants,
                [&](const Variant& variant) { return !needed.contains(variant.name); });
  for (Row& row : experiment.rows) {
    std::erase_if(row.substitutes, [&](const auto& pair) { return !needed.contains(pair.first); });
  }
}

}  // namespace heddle::lab
