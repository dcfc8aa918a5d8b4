#include "exec/texture/array_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace heddle::exec {
namespace {

/// The largest extents that a texture can have (CUDA programming guide, technical specifications
/// per compute capability), and how many layers.
constexpr std::uint32_t kMostTexels1d = 131072;
constexpr std::uint32_t kMostTexels2d = 131072;
constexpr std::uint32_t kMostTexels3d = 16384;
constexpr std::uint32_t kMostLayers = 2048;

void check_shape(const ArrayShape& shape) {
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("no array can be {} x {} x {} texels, {} layers, {} levels: {}",
                                 shape.width, shape.height, shape.depth, shape.layers, shape.levels,
                                 why));
  };
  const std::uint32_t most = shape.depth != 0    ? kMostTexels3d
                             : shape.height != 0 ? kMostTexels2d
                                                 : kMostTexels1d;
  if (shape.width == 0) refuse("the width is 0");
  if (std::max({shape.width, shape.height, shape.depth}) > most) {
    refuse(fmt::format("{} is the largest extent", most));
  }
  if (shape.depth != 0 && shape.height == 0) refuse("it has a depth but no height");
  if (shape.depth != 0 && shape.layers != 0) refuse("it has both a depth and layers");
  if (shape.layers > kMostLayers) refuse(fmt::format("{} layers are the most", kMostLayers));
  if (shape.cube && (shape.width != shape.height || shape.layers == 0 || shape.layers % 6 != 0)) {
    refuse("a cube map has square faces, and six for each cube");
  }
  const std::uint32_t largest = std::max({shape.width, shape.height, shape.depth});
  if (shape.levels == 0 || shape.levels > static_cast<std::uint32_t>(std::bit_width(largest))) {
    refuse("each level of a mipmap halves the one before, down to one texel");
  }
}

}  // namespace

ArrayStorage::ArrayStorage(GlobalMemory& memory, const ArrayShape& shape,
                           const ChannelFormat& format, std::string name)
    : memory_(memory), shape_(shape) {
  format.check();
  check_shape(shape);
  image_.format = format;
  image_.dimensions = shape.depth != 0 ? 3 : shape.height != 0 ? 2 : 1;
  image_.cube = shape.cube;
  // A plain cube map has no layers to choose among.
  image_.layered = shape.layers != 0 && !(shape.cube && shape.layers == 6);
  image_.layers = std::max(shape.layers, 1U);
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < shape.levels; ++i) {
    ImageLevel level;
    level.address = bytes;
    level.width = std::max(shape.width >> i, 1U);
    level.height = std::max(shape.height >> i, 1U);
    level.depth = std::max(shape.depth >> i, 1U);
    level.row_bytes = std::uint64_t{level.width} * format.texel_bytes();
    level.slice_bytes = level.row_bytes * level.height;
    bytes += level.slice_bytes * std::max(level.depth, image_.layers);
    bytes = (bytes + 15) / 16 * 16;
    image_.levels.push_back(level);
  }
  image_.bytes = bytes;
  image_.address = memory.allocate(
      bytes, {.name = std::move(name), .kind = AllocationKind::array, .alignment = 512});
  for (ImageLevel& level : image_.levels) level.address += image_.address;
}

ArrayStorage::~ArrayStorage() { memory_.free(image_.address, AllocationKind::array); }

const ImageLevel& ArrayStorage::level(std::uint32_t level) const {
  if (level >= image_.levels.size()) {
    throw InputError(fmt::format("the array has {} mipmap levels, there is no level {}",
                                 image_.levels.size(), level));
  }
  return image_.levels[level];
}

std::uint32_t ArrayStorage::slices(std::uint32_t level) const {
  return std::max(this->level(level).depth, image_.layers);
}

std::uint64_t ArrayStorage::place_in_row(std::uint64_t bytes, std::uint64_t x_bytes,
                                         std::uint32_t y, std::uint32_t slice,
                                         std::uint32_t level) const {
  const ImageLevel& shown = this->level(level);
  if (x_bytes > shown.row_bytes || bytes > shown.row_bytes - x_bytes || y >= shown.height ||
      slice >= slices(level)) {
    throw InputError(
        fmt::format("{} bytes from byte {} on of row {}, slice {}, are not in an array of {} bytes "
                    "by {} rows by {} slices",
                    bytes, x_bytes, y, slice, shown.row_bytes, shown.height, slices(level)));
  }
  return shown.address + slice * shown.slice_bytes + y * shown.row_bytes + x_bytes;
}

void ArrayStorage::write_row(std::span<const std::byte> from, std::uint64_t x_bytes,
                             std::uint32_t y, std::uint32_t slice, std::uint32_t level) {
  memory_.write(place_in_row(from.size(), x_bytes, y, slice, level), from);
}

void ArrayStorage::read_row(std::span<std::byte> to, std::uint64_t x_bytes, std::uint32_t y,
                            std::uint32_t slice, std::uint32_t level) const {
  memory_.read(place_in_row(to.size(), x_bytes, y, slice, level), to);
}

}  // namespace heddle::exec
