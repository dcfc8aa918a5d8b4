#pragma once

// What distinguishes series: never a colour alone. The colours themselves are in the page's style,
// one set for light and one for dark.

#include <cstddef>
#include <string>

namespace heddle::lab::report {

inline constexpr std::size_t kColours = 8;

/// The patterns that fills refer to, once a page.
std::string fill_definitions();
/// What a bar of the series is filled with: a colour and a texture.
std::string fill_of(std::size_t series);
/// Of the variant that all others are relative to.
std::string baseline_fill();

/// "line-3": the class of a line and its marks; in another round of the colours it is dashed.
std::string line_class(std::size_t series);
/// The path of a series' mark, around a point.
std::string marker(std::size_t series, double x, double y);

/// A part of a stack, from dark at the bottom to light at the top, so that the order is seen
/// without colours; and black or white, for what is written on it.
std::string part_colour(std::size_t part, std::size_t parts);
std::string part_ink(std::size_t part, std::size_t parts);

}  // namespace heddle::lab::report
