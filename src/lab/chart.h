#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "lab/metric.h"

namespace heddle::lab {

/// How an experiment's numbers are drawn.
struct Chart {
  enum class Kind : std::uint8_t {
    bars,    ///< Grouped by row, a bar for each variant, and a group for each mean.
    lines,   ///< Over the variants, a line for each row and each mean.
    stacked  ///< Grouped by row, a stack of parts for each variant.
  };

  Kind kind = Kind::bars;
  std::string x{};  ///< What the axis below is called; empty: nothing.
  std::string y{};  ///< What the axis of values is called; empty: as the metric is.
};

/// What stacks are made of.
struct Part {
  std::string name;
  Metric metric;
};

std::string_view name_of(Chart::Kind kind);
/// Throws InputError for what is no kind's name.
Chart::Kind parse_chart_kind(std::string_view text);

}  // namespace heddle::lab
