#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle {

/// Pixels of 8 bits each of red, green, blue and opacity, red lowest; rows from the top.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<std::uint32_t> pixels;

  std::uint32_t at(int column, int row) const {
    return pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                  static_cast<std::size_t>(column)];
  }
};

/// The picture as a PNG file's content. Throws std::runtime_error where it cannot be made.
std::string png_of(const Picture& picture);
/// The picture for a terminal that knows 24-bit colour, two pixels a character.
std::string to_terminal(const Picture& picture, int columns);

}  // namespace heddle
