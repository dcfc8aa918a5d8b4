#pragma once

// A chart of a program's locality, as an SVG file of its own.

#include <string>
#include <vector>

namespace heddle::lab::report {

/// The content of the chart: a value from 0 to 1 for each size of neighbourhood and window.
struct LocalityChart {
  std::string title{};
  std::string subtitle{};
  std::vector<std::string> neighbourhoods{};  ///< Their sizes as texts, in ascending order.
  std::vector<std::string> windows{};         ///< Likewise.
  /// By neighbourhood and window.
  std::vector<std::vector<double>> values{};
};

/// Draws the values as a surface over both sizes, and as curves over the window. Light or dark as
/// the reader prefers. There must be at least two neighbourhoods and two windows.
std::string draw_locality(const LocalityChart& chart);

}  // namespace heddle::lab::report
