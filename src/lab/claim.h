#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/mean.h"
#include "lab/metric.h"

namespace heddle::lab {

/// The rows of the table that a claim is about: one row, a group's mean, or the mean of all rows.
struct ClaimedRows {
  std::string workload{};        ///< A row's label; empty: a mean over rows.
  std::string group{};           ///< The group that the mean covers; empty: all rows.
  Mean mean = Mean::arithmetic;  ///< How the mean over rows is taken.
};

/// A number that a paper reports for a variant.
struct ReportedValue {
  std::string variant{};
  ClaimedRows rows{};
  double value = 0;
  /// The largest allowed difference between the measured and the reported value, upwards or
  /// downwards. Empty: the default of the kind of claim (verdict.cpp).
  std::optional<double> tolerance{};
};

/// The metric exceeds that of another variant by this fraction of it.
struct Gain : ReportedValue {};
/// The metric is below that of another variant by this fraction of it.
struct Saving : ReportedValue {};
/// The metric is a fraction of a whole and has this value.
struct Share : ReportedValue {};
/// The metric has this value. Files and tables call this kind "figure".
struct PlainValue : ReportedValue {};

/// The variants' values are strictly increasing in this order.
struct Order {
  std::vector<std::string> variants{};
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
  std::vector<std::string> names{};       ///< One more than `bounds`.
  std::vector<ExpectedClass> expected{};  ///< In the rows' order.
};

using ClaimKind = std::variant<Gain, Saving, Share, PlainValue, Order, Classes>;

/// A statement of a paper that the experiment's measurements can confirm or contradict.
struct Claim {
  std::string id{};
  std::string text{};
  ClaimKind kind{};
  std::optional<Metric> metric{};  ///< Empty: the experiment's metric.
  std::string relative_to{};       ///< The variant that values are divided by; empty: none.
  /// Other fair readings of the paper: copies of the claim with changes, which `text` describes.
  /// They have neither an id nor readings of their own.
  std::vector<Claim> readings{};
};

/// The kind's name in an experiment's file: "gain".
std::string_view name_of(const ClaimKind& kind);
/// The named kind with default contents. Throws InputError for an unknown name.
ClaimKind parse_claim_kind(std::string_view text);

/// Whether the claim states by how much one variant differs from another.
bool is_gain_or_saving(const ClaimKind& kind);

// The following functions accept every kind of claim.
/// Null if the kind reports no single value.
const ReportedValue* reported_value(const ClaimKind& kind);
ReportedValue* reported_value(ClaimKind& kind);
/// The variant that the claim is about; empty if there are several.
std::string variant_of(const ClaimKind& kind);
/// The rows that the claim is about. For classes, whose rows are in Classes::expected, this is the
/// default (all rows).
ClaimedRows rows_of(const ClaimKind& kind);

}  // namespace heddle::lab
