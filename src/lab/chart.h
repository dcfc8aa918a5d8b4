#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lab/metric.h"

namespace heddle::lab {

/// How an experiment's values are drawn. A row of its table is a workload, a variant is a column.
struct Chart {
  enum class Kind : std::uint8_t {
    bars,    ///< A group of bars for each row and each mean; one bar for each variant.
    lines,   ///< A line over the variants for each row and each mean.
    stacked  ///< A group of stacks for each row; one stack of parts for each variant.
  };

  Kind kind = Kind::bars;
  std::string x{};  ///< Title of the horizontal axis; empty: none.
  std::string y{};  ///< Title of the value axis; empty: the metric's text.
};

/// One part of a stacked bar, such as the energy of one component.
struct Part {
  std::string name;
  Metric metric;
};

std::string_view name_of(Chart::Kind kind);
/// Throws InputError for an unknown name.
Chart::Kind parse_chart_kind(std::string_view text);

}  // namespace heddle::lab
