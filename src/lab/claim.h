#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lab/mean.h"
#include "lab/metric.h"

namespace heddle::lab {

/// What of a table's rows a claim is about.
struct ClaimedRows {
  std::string workload{};        ///< A row's label; empty: the mean.
  std::string group{};           ///< The mean of this group; empty: of all.
  Mean mean = Mean::arithmetic;  ///< Over rows.
};

/// A number that a paper reports of a variant.
struct ReportedValue {
  std::string variant{};
  ClaimedRows rows{};
  double value = 0;
  /// How far the measured value may be from it, in place of half to twice.
  std::optional<double> within{};
};

/// The metric rises by this share over that of another variant.
struct Gain : ReportedValue {};
/// It falls by this share.
struct Saving : ReportedValue {};
/// The metric is a share, and has this value.
struct Share : ReportedValue {};
/// It has this value.
struct Figure : ReportedValue {};

/// The variants' values rise in this order.
struct Order {
  std::vector<std::string> variants{};
  ClaimedRows rows{};
};

/// The class that a paper puts a row into.
struct ExpectedClass {
  std::string row;  ///< Its label.
  std::string name;
};

/// By the metric, rows are of these classes.
struct Classes {
  std::string variant{};
  /// Where classes meet, rising; a value at a bound is of the class above it.
  std::vector<double> bounds{};
  std::vector<std::string> names{};       ///< One more than there are bounds.
  std::vector<ExpectedClass> expected{};  ///< In the order of rows.
};

using ClaimKind = std::variant<Gain, Saving, Share, Figure, Order, Classes>;

/// What a paper says that would be measured.
struct Claim {
  std::string id{};
  std::string text{};
  ClaimKind kind{};
  std::optional<Metric> metric{};  ///< The experiment's where it is empty.
  std::string relative_to{};       ///< Another variant; empty: to none.
  /// Other ways in which one may fairly read the paper: the claim, changed; `text` says how. They
  /// have no id, and no readings of their own.
  std::vector<Claim> readings{};
};

/// "gain"
std::string_view name_of(const ClaimKind& kind);
/// With nothing in it. Throws InputError for what is no kind's name.
ClaimKind parse_claim_kind(std::string_view text);

/// Whether it says how one variant differs from another.
bool compares(const ClaimKind& kind);
// Of any kind:
/// Null where it has none.
const ReportedValue* reported_value(const ClaimKind& kind);
ReportedValue* reported_value(ClaimKind& kind);
/// Empty where it is about several.
std::string variant_of(const ClaimKind& kind);
/// Those of all where it says so of each.
ClaimedRows rows_of(const ClaimKind& kind);

}  // namespace heddle::lab
