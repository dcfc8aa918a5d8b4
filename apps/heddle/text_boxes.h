#pragma once

// Drawings made of frames with text in them.

#include <cstddef>
#include <string>
#include <vector>

namespace heddle {

/// Lines of text; in a drawing all are equally wide.
using TextBlock = std::vector<std::string>;

/// A frame with a title. Lines that are too long for it are broken at spaces.
struct TextBox {
  std::string title;
  TextBlock lines;
};

/// What `columns` columns hold, within a frame that is so wide.
std::size_t room_in_frame(std::size_t columns);
/// Frames side by side, equally high and about equally wide, together `columns` wide.
TextBlock draw_row(const std::vector<TextBox>& boxes, std::size_t columns);
/// A line with `text` in its middle.
std::string centred(const std::string& text, std::size_t columns);

}  // namespace heddle
