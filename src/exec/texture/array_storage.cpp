#include "exec/texture/array_storage.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "base/error.h"

namespace heddle::exec {
namespace {

/// The maximum extents, in texels, and the maximum number of layers of a texture (CUDA programming
/// guide, technical specifications per compute capability).
constexpr std::uint32_t kMaxExtent1d = 131072;
constexpr std::uint32_t kMaxExtent2d = 131072;
constexpr std::uint32_t kMaxExtent3d = 16384;
constexpr std::uint32_t kMaxLayers = 2048;

/// Throws InputError for an invalid shape.
void check_shape(const ArrayShape& shape) {
  const auto refuse = [&](std::string_view why) {
    throw InputError(fmt::format("invalid array of {} x {} x {} texels, {} layers, {} levels: {}",
                                 shape.width, shape.height, shape.depth, shape.layers, shape.levels,
                                 why));
  };
  const std::uint32_t max_extent = shape.depth != 0    ? kMaxExtent3d
                                   : shape.height != 0 ? kMaxExtent2d
                                                       : kMaxExtent1d;
  if (shape.width == 0) refuse("the width is 0");
  if (std::max({shape.width, shape.height, shape.depth}) > max_extent) {
    refuse(fmt::format("no extent may exceed {} texels", max_extent));
  }
  if (shape.depth != 0 && shape.height == 0) refuse("it has a depth but no height");
  if (shape.depth != 0 && shape.layers != 0) refuse("it has both a depth and layers");
  if (shape.layers > kMaxLayers) refuse(fmt::format("the limit is {} layers", kMaxLayers));
  if (shape.cube && (shape.width != shape.height || shape.layers == 0 || shape.layers % 6 != 0)) {
    refuse("a cube map needs square faces, and six layers for each cube");
  }
  // Each level halves the extents of the previous one, down to one texel.
  const std::uint32_t largest = std::max({shape.width, shape.height, shape.depth});
  const auto max_levels = static_cast<std::uint32_t>(std::bit_width(largest));
  if (shape.levels == 0 || shape.levels > max_levels) {
    refuse(fmt::format("the number of levels must be 1 to {} for these extents", max_levels));
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
  // An array with the six faces of a single cube is a cube map, not a layered one.
  image_.layered = shape.layers != 0 && !(shape.cube && shape.layers == 6);
  image_.layers = std::max(shape.layers, 1U);
  std::uint64_t bytes = 0;
  for (std::uint32_t i = 0; i < shape.levels; ++i) {
    ImageLevel level;
    level.address = bytes;  // The offset in the array; the array's address is added below.
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
    throw InputError(fmt::format("mipmap level {} does not exist: the array has {} levels", level,
                                 image_.levels.size()));
  }
  return image_.levels[level];
}

std::uint32_t ArrayStorage::slices(std::uint32_t level) const {
  return std::max(this->level(level).depth, image_.layers);
}

std::uint64_t ArrayStorage::address_in_row(std::uint64_t bytes, std::uint64_t x_bytes,
                                           std::uint32_t y, std::uint32_t slice,
                                           std::uint32_t level) const {
  const ImageLevel& image_level = this->level(level);
  if (x_bytes > image_level.row_bytes || bytes > image_level.row_bytes - x_bytes ||
      y >= image_level.height || slice >= slices(level)) {
    throw InputError(fmt::format(
        "{} bytes at byte {} of row {}, slice {} exceed mipmap level {} of the array: "
        "the level has {} slices of {} rows of {} bytes",
        bytes, x_bytes, y, slice, level, slices(level), image_level.height, image_level.row_bytes));
  }
  return image_level.address + slice * image_level.slice_bytes + y * image_level.row_bytes +
         x_bytes;
}

void ArrayStorage::write_row(std::span<const std::byte> from, std::uint64_t x_bytes,
                             std::uint32_t y, std::uint32_t slice, std::uint32_t level) {
  memory_.write(address_in_row(from.size(), x_bytes, y, slice, level), from);
}

void ArrayStorage::read_row(std::span<std::byte> to, std::uint64_t x_bytes, std::uint32_t y,
                            std::uint32_t slice, std::uint32_t level) const {
  memory_.read(address_in_row(to.size(), x_bytes, y, slice, level), to);
}

}  // namespace heddle::exec
