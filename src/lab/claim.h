#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/mean.h"
#include "lab/metric.h"

namespace heddle::lab {

/// What a paper says that would be measured.
struct Claim {
  enum class Kind : std::uint8_t {
    gain,    ///< The metric rises by this share over that of another variant.
    saving,  ///< It falls by this share.
    share,   ///< The metric is a share, and has this value.
    figure,  ///< It has this value.
    order    ///< The variants' means rise in this order.
  };

  std::string id{};
  std::string text{};
  Kind kind = Kind::figure;
  double value = 0;  ///< Of all kinds but `order`.
  /// How far the measured value may be from it, in place of half to twice.
  std::optional<double> within{};
  std::string variant{};
  std::string relative_to{};       ///< Another variant; empty: to none.
  std::string workload{};          ///< A row's label; empty: the mean.
  std::string group{};             ///< The mean of this group; empty: of all.
  std::optional<Metric> metric{};  ///< The experiment's where it is empty.
  Mean mean = Mean::arithmetic;    ///< Over rows.
  std::vector<std::string> order{};
};

std::string_view name_of(Claim::Kind kind);

}  // namespace heddle::lab
