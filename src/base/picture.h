#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// An RGBA image with 8 bits per channel, red in the lowest byte. Rows are stored from top to
/// bottom, and pixels of a row from left to right.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;

  std::uint32_t at(int column, int row) const {
    return pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(column)];
  }
};

/// The content of a PNG file of the picture. Throws std::runtime_error if encoding fails.
std::string png_of(const Picture& picture);
/// Text that shows the picture on a terminal with 24-bit colour. The text is `columns` characters
/// wide; each character shows two pixels, one above the other.
std::string terminal_text(const Picture& picture, int columns);

}  // namespace heddle
