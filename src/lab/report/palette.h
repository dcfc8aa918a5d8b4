#pragma once

// Fills, line styles and markers that distinguish series. Series never differ in colour alone. The
// colours themselves are in the page's style, one set for light and one for dark pages.

#include <cstddef>
#include <string>

namespace heddle::lab::report {

/// The number of distinct colours of series.
inline constexpr std::size_t kColourCount = 8;

/// The patterns that fills refer to. A page must contain them once.
std::string fill_definitions();
/// The fill of a series' bars: a colour and a texture. Fills repeat after twice kColourCount
/// series.
std::string fill_of(std::size_t series);
/// The fill of the variant that all others are relative to.
std::string baseline_fill();

/// The CSS classes of a line and its markers: "line-3". If there are more series than colours, the
/// colours are used again, with dashed lines.
std::string line_class(std::size_t series);
/// The SVG path of a series' marker, centred on a point.
std::string marker(std::size_t series, double x, double y);

/// The colour of part `part` of `parts` in a stack. Colours go from dark at the bottom to light at
/// the top, so that the order is visible without colours.
std::string part_colour(std::size_t part, std::size_t parts);
/// Black or white: the colour of text on a part.
std::string part_ink(std::size_t part, std::size_t parts);

}  // namespace heddle::lab::report
