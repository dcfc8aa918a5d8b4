#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/mean.h"
#include "lab/metric.h"

namespace heddle::lab {

/// The rows of the table that a claim is about: one row, the mean of a group of rows, or the mean
/// of all rows.
struct ClaimedRows {
  std::string workload{};        ///< A row's label; empty: a mean over rows.
  std::string group{};           ///< The group that the mean covers; empty: all rows.
  Mean mean = Mean::arithmetic;  ///< How the mean over rows is taken.
};

/// A number, or a range of numbers, that a paper reports for a variant.
struct ReportedValue {
  std::string variant{};
  ClaimedRows rows{};
  /// The reported range; both ends are equal if the paper gives a single number, and one end is
  /// infinite if it says "at least" or "at most".
  double least = 0;
  double most = 0;
  /// The largest allowed difference between the measured value and the range, upwards or
  /// downwards. Empty: 0, and for a single number the default tolerance of the kind of claim
  /// (verdict.cpp).
  std::optional<double> tolerance{};

  bool is_single() const { return least == most; }
  /// The number of the range that is nearest to `value`.
  double nearest(double value) const { return std::clamp(value, least, most); }
};

/// The metric is higher than that of another variant. The value is the increase as a fraction of
/// the other variant's metric.
struct Gain : ReportedValue {};
/// The metric is lower than that of another variant. The value is the decrease as a fraction of the
/// other variant's metric.
struct Saving : ReportedValue {};
/// The metric is a fraction of a whole. The value is that fraction.
struct Share : ReportedValue {};
/// The metric itself has the value. Files and tables call this kind "figure".
struct PlainValue : ReportedValue {};

/// The values of these variants are strictly increasing in this order.
struct Order {
  std::vector<std::string> variants{};
  /// For each of the variants, the variant that its values are divided by. Empty: all values are
  /// divided by Claim::relative_to.
  std::vector<std::string> relative_to{};
  ClaimedRows rows{};
};

/// The class to which a paper assigns a row.
struct ExpectedClass {
  std::string row;   ///< The row's label.
  std::string name;  ///< The class's name.
};

/// The metric's value puts each row into the class that the paper reports.
struct Classes {
  std::string variant{};
  /// Boundaries between classes, in increasing order. A value at a boundary is in the upper
  /// class.
  std::vector<double> bounds{};
  /// The names of the classes, lowest class first; one more than `bounds`.
  std::vector<std::string> names{};
  std::vector<ExpectedClass> expected{};  ///< In the order of the table's rows.
};

using ClaimKind = std::variant<Gain, Saving, Share, PlainValue, Order, Classes>;

/// A statement of a paper that the experiment's measurements can confirm or contradict. Its kind
/// says what is claimed.
struct Claim {
  std::string id{};
  std::string text{};
  ClaimKind kind{};
  std::optional<Metric> metric{};  ///< Empty: the experiment's metric.
  std::string relative_to{};       ///< The variant that values are divided by; empty: none.
  /// Readings are fair interpretations of the paper's words. The claim itself is the main reading;
  /// these are all others: copies of the claim with changes, which their `text` describes. They
  /// have neither an id nor readings of their own.
  std::vector<Claim> readings{};
};

/// The kind's name in an experiment's file: "gain".
std::string_view name_of(const ClaimKind& kind);
/// A claim kind by its name, with default contents. Throws InputError for an unknown name.
ClaimKind parse_claim_kind(std::string_view text);

/// Whether the claim states by how much one variant differs from another.
bool is_gain_or_saving(const ClaimKind& kind);

/// Returns null for an order or for classes, which report no single value.
const ReportedValue* reported_value(const ClaimKind& kind);
ReportedValue* reported_value(ClaimKind& kind);
/// The variant that the claim is about; empty for an order, which has several.
std::string variant_of(const ClaimKind& kind);
/// The rows that the claim is about. For classes, whose rows are in Classes::expected, this is the
/// default (all rows).
ClaimedRows rows_of(const ClaimKind& kind);

}  // namespace heddle::lab
