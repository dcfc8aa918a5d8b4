#pragma once

// Text drawings made of frames that contain text.

#include <cstddef>
#include <string>
#include <vector>

namespace heddle {

/// Lines of text. In a drawing, all lines have the same width.
using TextBlock = std::vector<std::string>;

/// A frame with a title. Lines that are too long for the frame are broken at spaces.
struct TextBox {
  std::string title;
  TextBlock lines;
};

/// The width available inside a frame that is `columns` wide.
std::size_t width_inside_frame(std::size_t columns);
/// The boxes side by side, of equal height and about equal width. `columns` is their total width.
TextBlock draw_row(const std::vector<TextBox>& boxes, std::size_t columns);
/// A line of `columns` columns with `text` centred.
std::string centred(const std::string& text, std::size_t columns);

}  // namespace heddle
