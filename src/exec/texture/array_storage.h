#pragma once

// A CUDA array contains texels in a layout that is hidden from the program, which accesses them
// through textures and surfaces. The array is in device memory, so that the texels have addresses
// for the simulated memory system.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "exec/memory/global_memory.h"
#include "exec/texture/image.h"

namespace heddle::exec {

/// The extents of an array in texels, and its numbers of layers and levels.
struct ArrayShape {
  std::uint32_t width = 1;
  std::uint32_t height = 0;  ///< 0: one-dimensional.
  std::uint32_t depth = 0;   ///< 0: one- or two-dimensional.
  std::uint32_t layers = 0;  ///< 0: not layered. A cube map has six for each cube.
  bool cube = false;         ///< Whether it is a cube map.
  std::uint32_t levels = 1;  ///< The number of mipmap levels, at least 1.
};

class ArrayStorage {
 public:
  /// Throws InputError for an invalid shape or format, and if device memory is exhausted.
  ArrayStorage(GlobalMemory& memory, const ArrayShape& shape, const ChannelFormat& format,
               std::string name = {});
  ~ArrayStorage();
  ArrayStorage(const ArrayStorage&) = delete;
  ArrayStorage& operator=(const ArrayStorage&) = delete;

  const ArrayShape& shape() const { return shape_; }
  const ChannelFormat& format() const { return image_.format; }
  const Image& image() const { return image_; }
  /// Throws InputError if the mipmap level does not exist; so do the functions below.
  const ImageLevel& level(std::uint32_t level) const;
  /// The bytes of one row of a mipmap level.
  std::uint64_t row_bytes(std::uint32_t level = 0) const { return this->level(level).row_bytes; }
  /// The number of slices of a mipmap level: its depth, or the number of layers of the array.
  std::uint32_t slices(std::uint32_t level = 0) const;

  // These functions access a part of row `y`, from the row's byte `x_bytes` on. `slice` is the
  // index of a depth slice, a layer or a face. They throw InputError if the part is not within the
  // mipmap level.
  void write_row(std::span<const std::byte> from, std::uint64_t x_bytes, std::uint32_t y = 0,
                 std::uint32_t slice = 0, std::uint32_t level = 0);
  void read_row(std::span<std::byte> to, std::uint64_t x_bytes, std::uint32_t y = 0,
                std::uint32_t slice = 0, std::uint32_t level = 0) const;

 private:
  std::uint64_t address_in_row(std::uint64_t bytes, std::uint64_t x_bytes, std::uint32_t y,
                               std::uint32_t slice, std::uint32_t level) const;

  GlobalMemory& memory_;
  ArrayShape shape_;
  Image image_;
};

}  // namespace heddle::exec
