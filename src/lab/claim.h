#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/mean.h"
#include "lab/metric.h"

namespace heddle::lab {

/// The class that a paper puts a row into.
struct ExpectedClass {
  std::string row;  ///< Its label.
  std::string name;
};

/// What a paper says that would be measured.
struct Claim {
  enum class Kind : std::uint8_t {
    gain,    ///< The metric rises by this share over that of another variant.
    saving,  ///< It falls by this share.
    share,   ///< The metric is a share, and has this value.
    figure,  ///< It has this value.
    order,   ///< The variants' means rise in this order.
    classes  ///< By the metric, rows are of these classes.
  };

  std::string id{};
  std::string text{};
  Kind kind = Kind::figure;
  double value = 0;  ///< Of all kinds but `order` and `classes`.
  /// How far the measured value may be from it, in place of half to twice.
  std::optional<double> within{};
  std::string variant{};
  std::string relative_to{};       ///< Another variant; empty: to none.
  std::string workload{};          ///< A row's label; empty: the mean.
  std::string group{};             ///< The mean of this group; empty: of all.
  std::optional<Metric> metric{};  ///< The experiment's where it is empty.
  Mean mean = Mean::arithmetic;    ///< Over rows.
  std::vector<std::string> order{};
  /// Where classes meet, rising; a value at a bound is of the class above it.
  std::vector<double> bounds{};
  std::vector<std::string> class_names{};  ///< One more than there are bounds.
  std::vector<ExpectedClass> expected{};   ///< In the order of rows.
};

std::string_view name_of(Claim::Kind kind);
/// Throws InputError for what is no kind's name.
Claim::Kind parse_claim_kind(std::string_view text);

}  // namespace heddle::lab
