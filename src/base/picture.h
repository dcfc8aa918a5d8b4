#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// An RGBA image with 8 bits per channel, red in the lowest byte; rows run from top to bottom.
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
/// Text that shows the picture on a terminal with 24-bit colour, two pixels per character.
std::string to_terminal(const Picture& picture, int columns);

}  // namespace heddle
