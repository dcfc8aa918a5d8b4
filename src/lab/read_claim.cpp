#include "lab/read_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/nearest.h"
#include "lab/read_values.h"

namespace heddle::lab {
namespace {

/// The keys that give the reported number or range; a claim has one of them.
constexpr std::array<const char*, 4> kRangeKeys{"value", "range", "at_least", "at_most"};

/// Reads one claim, or one of its readings.
class ClaimReader {
 public:
  ClaimReader(const config::TomlTable& table, const Experiment& experiment)
      : table_(table), experiment_(experiment) {}

  Claim read() const {
    Claim claim{.text = table_.text("text")};
    claim.kind = table_.at("kind", [&] { return parse_claim_kind(table_.text("kind")); });
    if (table_.has("metric")) claim.metric = read_metric(table_, "metric");
    claim.relative_to = read_comparison(claim);
    if (Order* const order = std::get_if<Order>(&claim.kind)) {
      *order = read_order(claim);
    } else if (Classes* const classes = std::get_if<Classes>(&claim.kind)) {
      *classes = read_classes();
    } else {
      *reported_value(claim.kind) = read_value(claim);
    }
    return claim;
  }

 private:
  /// The variant that the claim's values are divided by; empty: none.
  std::string read_comparison(const Claim& claim) const {
    std::string other;
    if (has_list_of_bases(claim)) return "";
    if (table_.has("relative_to")) {
      other = table_.text("relative_to");
      require_variant(table_, "relative_to", experiment_, other);
    } else if (is_gain_or_saving(claim.kind) || !claim.metric) {
      other = experiment_.normalise_to;
    }
    if (is_gain_or_saving(claim.kind) && other.empty()) {
      table_.fail("kind", fmt::format("a {} needs 'relative_to', or the metric a 'normalise_to'",
                                      name_of(claim.kind)));
    }
    return other;
  }

  /// Whether "relative_to" names a variant for each variant of an order.
  bool has_list_of_bases(const Claim& claim) const {
    return std::holds_alternative<Order>(claim.kind) && table_.has("relative_to") &&
           !table_.has_text("relative_to");
  }

  ClaimedRows read_rows(const Claim& claim) const {
    ClaimedRows rows{.workload = table_.text("workload", ""), .group = table_.text("group", "")};
    if (!rows.workload.empty() && !rows.group.empty()) {
      table_.fail("group", "a claim is about a workload or a group, not both");
    }
    if (!rows.workload.empty()) require_row(table_, "workload", experiment_, rows.workload);
    const std::vector<std::string> groups = experiment_.groups();
    if (!rows.group.empty() &&
        std::find(groups.begin(), groups.end(), rows.group) == groups.end()) {
      table_.fail("group", fmt::format("no workload is in a group '{}'{}", rows.group,
                                       suggestion(rows.group, groups)));
    }
    const auto default_mean = claim.metric ? std::nullopt : std::optional(experiment_.mean);
    rows.mean = read_mean(table_, claim.relative_to, default_mean);
    return rows;
  }

  ReportedValue read_value(const Claim& claim) const {
    if (table_.has("order")) table_.fail("order", "only a claim of kind \"order\" has an 'order'");
    reject({"bounds", "names", "expected"}, "only a claim of kind \"classes\" has");
    ReportedValue reported{.variant = read_variant(), .rows = read_rows(claim)};
    read_range(reported);
    reported.tolerance = table_.number("within");
    if (reported.tolerance && !(*reported.tolerance >= 0)) {
      table_.fail("within", "'within' must not be negative");
    }
    if (reported.is_single() && reported.least == 0 && !reported.tolerance) {
      table_.fail("value",
                  "a 'value' of 0 needs 'within': the default tolerance, half to twice the value, "
                  "allows only 0");
    }
    return reported;
  }

  void read_range(ReportedValue& reported) const {
    const auto given = std::count_if(kRangeKeys.begin(), kRangeKeys.end(),
                                     [&](const char* key) { return table_.has(key); });
    if (given != 1) {
      table_.fail("value", "one of 'value', 'range', 'at_least' and 'at_most' must be given");
    }
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (table_.has("range")) {
      const std::vector<double> range = table_.numbers("range");
      if (range.size() != 2 || !std::isfinite(range[0]) || !std::isfinite(range[1]) ||
          range[0] >= range[1]) {
        table_.fail("range", "'range' must be two numbers, the smaller one first");
      }
      reported.least = range[0];
      reported.most = range[1];
    } else if (table_.has("at_least")) {
      reported.least = read_finite("at_least");
      reported.most = kInfinity;
    } else if (table_.has("at_most")) {
      reported.least = -kInfinity;
      reported.most = read_finite("at_most");
    } else {
      reported.least = reported.most = read_finite("value");
    }
  }

  double read_finite(const char* key) const {
    const std::optional<double> value = table_.number(key);
    if (!value || !std::isfinite(*value)) {
      table_.fail(key, fmt::format("'{}' must be a number", key));
    }
    return *value;
  }

  Order read_order(const Claim& claim) const {
    reject({"value", "range", "at_least", "at_most", "within", "variant", "bounds", "names",
            "expected"},
           "a claim of kind \"order\" has no");
    Order order{.variants = table_.texts("order"), .rows = read_rows(claim)};
    if (order.variants.size() < 2) table_.fail("order", "'order' needs two or more variants");
    for (const std::string& variant : order.variants) {
      require_variant(table_, "order", experiment_, variant);
    }
    if (!has_list_of_bases(claim)) return order;
    order.relative_to = table_.texts("relative_to");
    if (order.relative_to.size() != order.variants.size()) {
      table_.fail(
          "relative_to",
          fmt::format("'order' has {} variants, and 'relative_to' {}: one for each is needed",
                      order.variants.size(), order.relative_to.size()));
    }
    for (const std::string& variant : order.relative_to) {
      require_variant(table_, "relative_to", experiment_, variant);
    }
    return order;
  }

  Classes read_classes() const {
    reject(
        {"value", "range", "at_least", "at_most", "within", "order", "workload", "group", "mean"},
        "a claim of kind \"classes\" has no");
    Classes classes{.variant = read_variant(), .bounds = table_.numbers("bounds")};
    const std::vector<double>& bounds = classes.bounds;
    if (bounds.empty()) table_.fail("bounds", "'bounds' must be given, as numbers");
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      if (!std::isfinite(bounds[i]) || (i > 0 && bounds[i] <= bounds[i - 1])) {
        table_.fail("bounds", "'bounds' must be finite and strictly increasing");
      }
    }
    classes.names = table_.texts("names");
    if (classes.names.size() != bounds.size() + 1) {
      table_.fail("names", fmt::format("{} bounds make {} classes, and 'names' has {}",
                                       bounds.size(), bounds.size() + 1, classes.names.size()));
    }
    classes.expected = read_expected(classes.names);
    return classes;
  }

  std::vector<ExpectedClass> read_expected(const std::vector<std::string>& names) const {
    const auto given = table_.named_texts("expected");
    if (given.empty())
      table_.fail("expected", "'expected' must give the class of at least one workload");
    for (const auto& [row, name] : given) {
      require_row(table_, "expected", experiment_, row);
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        table_.fail("expected",
                    fmt::format("'{}' is in no class '{}'{}", row, name, suggestion(name, names)));
      }
    }
    // In the order of the table's rows, whatever the order in the file.
    std::vector<ExpectedClass> expected;
    for (const Row& row : experiment_.rows) {
      const auto found = std::find_if(given.begin(), given.end(),
                                      [&](const auto& pair) { return pair.first == row.label; });
      if (found != given.end()) expected.push_back({row.label, found->second});
    }
    return expected;
  }

  std::string read_variant() const {
    std::string variant = table_.text("variant");
    require_variant(table_, "variant", experiment_, variant);
    return variant;
  }

  /// Throws InputError with the text `why` if one of the keys is present.
  void reject(std::initializer_list<const char*> keys, std::string_view why) const {
    for (const char* const key : keys) {
      if (table_.has(key)) table_.fail(key, fmt::format("{} '{}'", why, key));
    }
  }

  const config::TomlTable& table_;
  const Experiment& experiment_;
};

/// Whether the claim compares variants by a mean over rows.
bool compares_means(const ClaimKind& kind) {
  return (is_gain_or_saving(kind) || std::holds_alternative<Order>(kind)) &&
         rows_of(kind).workload.empty();
}

/// Reads the other readings of a claim. A reading inherits the keys that it does not give from the
/// claim. `common_readings` are those of the experiment; if they change the mean, they apply to
/// every claim that compares means.
std::vector<Claim> read_readings(const config::TomlTable& claim, const ClaimKind& kind,
                                 const std::vector<config::TomlTable>& common_readings,
                                 const Experiment& experiment) {
  std::vector<Claim> readings;
  for (const config::TomlTable& table : common_readings) {
    if (!table.has("mean") || !compares_means(kind)) continue;
    readings.push_back(ClaimReader(table.with_fallback(claim), experiment).read());
  }
  for (const config::TomlTable& table :
       claim.tables("reading", {"text", "value", "range", "at_least", "at_most", "within",
                                "variant", "relative_to", "metric", "mean", "group", "order"})) {
    // Throws if the reading has no text of its own: it must not inherit the claim's.
    static_cast<void>(table.text("text"));
    if (table.size() == 1)
      table.fail("text", "a reading must change at least one key of its claim");
    readings.push_back(ClaimReader(table.with_fallback(claim), experiment).read());
  }
  return readings;
}

}  // namespace

std::vector<Claim> read_claims(const config::TomlTable& top, const Experiment& experiment) {
  const std::vector<config::TomlTable> common_readings = read_common_readings(top);
  std::vector<Claim> claims;
  for (const config::TomlTable& table :
       top.tables("claim", {"id", "text", "kind", "value", "range", "at_least", "at_most", "within",
                            "variant", "relative_to", "workload", "group", "metric", "mean",
                            "order", "bounds", "names", "expected", "reading"})) {
    const std::string id = table.text("id");
    Claim claim = ClaimReader(table, experiment).read();
    claim.id = id;
    claim.readings = read_readings(table, claim.kind, common_readings, experiment);
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
