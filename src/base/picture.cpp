#include "base/picture.h"

#include <fmt/format.h>
#include <png.h>

#include <array>
#include <stdexcept>

namespace heddle {
namespace {

/// The mean colour of a rectangle of the picture.
std::array<int, 3> mean_colour(const Picture& picture, int left, int right, int top, int bottom) {
  std::array<long, 3> sum{};
  for (int row = top; row < bottom; ++row) {
    for (int column = left; column < right; ++column) {
      const std::uint32_t pixel = picture.at(column, row);
      for (std::size_t i = 0; i < 3; ++i) sum[i] += pixel >> (8 * i) & 0xff;
    }
  }
  const long count = std::max(1L, static_cast<long>(right - left) * (bottom - top));
  return {static_cast<int>(sum[0] / count), static_cast<int>(sum[1] / count),
          static_cast<int>(sum[2] / count)};
}

}  // namespace

std::string png_of(const Picture& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.width);
  image.height = static_cast<png_uint_32>(picture.height);
  image.format = PNG_FORMAT_RGBA;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string png(bytes, '\0');
  if (png_image_write_to_memory(&image, png.data(), &bytes, 0, picture.pixels.data(), 0, nullptr) ==
      0) {
    throw std::runtime_error(fmt::format("cannot encode the picture as PNG: {}", image.message));
  }
  png.resize(bytes);
  return png;
}

std::string terminal_text(const Picture& picture, int columns) {
  const int rows = columns * picture.height / picture.width / 2 * 2;
  const auto cell = [&](int column, int row) {
    return mean_colour(picture, column * picture.width / columns,
                       (column + 1) * picture.width / columns, row * picture.height / rows,
                       (row + 1) * picture.height / rows);
  };
  std::string out;
  for (int row = 0; row + 1 < rows; row += 2) {
    for (int column = 0; column < columns; ++column) {
      const auto upper = cell(column, row);
      const auto lower = cell(column, row + 1);
      out += fmt::format("\x1b[38;2;{};{};{}m\x1b[48;2;{};{};{}m▀", upper[0], upper[1], upper[2],
                         lower[0], lower[1], lower[2]);
    }
    out += "\x1b[0m\n";
  }
  return out;
}

}  // namespace heddle
