#include "lab/read_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/nearest.h"
#include "lab/read_values.h"

namespace heddle::lab {
namespace {

class ClaimReader {
 public:
  ClaimReader(const TomlTable& table, const Experiment& experiment)
      : table_(table), experiment_(experiment) {}

  Claim read() {
    claim_.id = table_.text("id");
    claim_.text = table_.text("text");
    claim_.kind = table_.at("kind", [&] { return parse_claim_kind(table_.text("kind")); });
    if (table_.has("metric")) claim_.metric = read_metric(table_, "metric");
    read_place();
    read_comparison();
    claim_.mean =
        read_mean(table_, claim_.metric ? usual_mean(claim_.relative_to) : experiment_.mean);
    if (claim_.kind == Claim::Kind::order) {
      read_order();
    } else if (claim_.kind == Claim::Kind::classes) {
      read_classes();
    } else {
      read_value();
    }
    return std::move(claim_);
  }

 private:
  /// Which rows it is about.
  void read_place() {
    claim_.workload = table_.text("workload", "");
    claim_.group = table_.text("group", "");
    if (!claim_.workload.empty() && !claim_.group.empty()) {
      table_.fail("group", "a claim is about a workload or a group, not both");
    }
    if (!claim_.workload.empty()) require_row(table_, "workload", experiment_, claim_.workload);
    const std::vector<std::string> groups = experiment_.groups();
    if (!claim_.group.empty() &&
        std::find(groups.begin(), groups.end(), claim_.group) == groups.end()) {
      table_.fail("group", fmt::format("no workload is in a group '{}'{}", claim_.group,
                                       suggestion(claim_.group, groups)));
    }
  }

  /// What its variant is measured against.
  void read_comparison() {
    const bool compares = claim_.kind == Claim::Kind::gain || claim_.kind == Claim::Kind::saving;
    if (table_.has("relative_to")) {
      claim_.relative_to = table_.text("relative_to");
      require_variant(table_, "relative_to", experiment_, claim_.relative_to);
    } else if (compares || !claim_.metric) {
      claim_.relative_to = experiment_.normalise_to;
    }
    if (compares && claim_.relative_to.empty()) {
      table_.fail("kind", fmt::format("a {} needs 'relative_to', or the metric a 'normalise_to'",
                                      name_of(claim_.kind)));
    }
  }

  void read_value() {
    if (table_.has("order")) table_.fail("order", "only a claim of kind \"order\" has an order");
    refuse({"bounds", "names", "expected"}, "only a claim of kind \"classes\" has");
    read_variant();
    const std::optional<double> value = table_.number("value");
    if (!value || !std::isfinite(*value)) {
      table_.fail("value", "'value' must be given, as a number");
    }
    claim_.value = *value;
    claim_.within = table_.number("within");
    if (claim_.within && !(*claim_.within >= 0)) {
      table_.fail("within", "'within' must not be negative");
    }
    if (claim_.value == 0 && !claim_.within) {
      table_.fail("value", "nothing lies within half to twice of 0; say how far with 'within'");
    }
  }

  void read_order() {
    refuse({"value", "within", "variant", "bounds", "names", "expected"},
           "a claim of an order has no");
    claim_.order = table_.texts("order");
    if (claim_.order.size() < 2) table_.fail("order", "an order has two variants or more");
    for (const std::string& variant : claim_.order) {
      require_variant(table_, "order", experiment_, variant);
    }
  }

  void read_classes() {
    refuse({"value", "within", "order", "workload", "group", "mean"}, "a claim of classes has no");
    read_variant();
    claim_.bounds = table_.numbers("bounds");
    if (claim_.bounds.empty()) table_.fail("bounds", "'bounds' must be given, as numbers");
    for (std::size_t i = 0; i < claim_.bounds.size(); ++i) {
      if (!std::isfinite(claim_.bounds[i]) || (i > 0 && claim_.bounds[i] <= claim_.bounds[i - 1])) {
        table_.fail("bounds", "'bounds' must be numbers that rise");
      }
    }
    claim_.class_names = table_.texts("names");
    if (claim_.class_names.size() != claim_.bounds.size() + 1) {
      table_.fail("names",
                  fmt::format("{} bounds make {} classes, and 'names' has {}", claim_.bounds.size(),
                              claim_.bounds.size() + 1, claim_.class_names.size()));
    }
    read_expected();
  }

  void read_expected() {
    const auto given = table_.named_texts("expected");
    if (given.empty()) table_.fail("expected", "'expected' must say the class of some workload");
    for (const auto& [row, name] : given) {
      require_row(table_, "expected", experiment_, row);
      const auto& names = claim_.class_names;
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        table_.fail("expected",
                    fmt::format("'{}' is in no class '{}'{}", row, name, suggestion(name, names)));
      }
    }
    // In the order of the table, whatever that of the file is.
    for (const Row& row : experiment_.rows) {
      const auto found = std::find_if(given.begin(), given.end(),
                                      [&](const auto& pair) { return pair.first == row.label; });
      if (found != given.end()) claim_.expected.push_back({row.label, found->second});
    }
  }

  void read_variant() {
    claim_.variant = table_.text("variant");
    require_variant(table_, "variant", experiment_, claim_.variant);
  }

  void refuse(std::initializer_list<const char*> keys, std::string_view why) const {
    for (const char* const key : keys) {
      if (table_.has(key)) table_.fail(key, fmt::format("{} '{}'", why, key));
    }
  }

  const TomlTable& table_;
  const Experiment& experiment_;
  Claim claim_{};
};

}  // namespace

std::vector<Claim> read_claims(const TomlTable& top, const Experiment& experiment) {
  std::vector<Claim> claims;
  for (const TomlTable& table : top.tables(
           "claim", {"id", "text", "kind", "value", "within", "variant", "relative_to", "workload",
                     "group", "metric", "mean", "order", "bounds", "names", "expected"})) {
    Claim claim = ClaimReader(table, experiment).read();
    for (const Claim& other : claims) {
      if (other.id == claim.id) {
        table.fail("id", fmt::format("there are two claims '{}'", claim.id));
      }
    }
    claims.push_back(std::move(claim));
  }
  return claims;
}

}  // namespace heddle::lab
