#pragma once

// A CUDA array: texels in a layout that is hidden from the program, accessed through textures and
// surfaces. It lies in device memory, so that its texels have addresses for the memory system.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "exec/memory/global_memory.h"
#include "exec/texture/image.h"

namespace heddle::exec {

struct ArrayShape {
  std::uint32_t width = 1;
  std::uint32_t height = 0;  ///< 0: one-dimensional.
  std::uint32_t depth = 0;   ///< 0: one- or two-dimensional.
  std::uint32_t layers = 0;  ///< 0: not layered. A cube map has six for each cube.
  bool cube = false;
  std::uint32_t levels = 1;  ///< Mipmap levels.
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
  const ImageLevel& level(std::uint32_t level) const;
  /// The bytes of one row of a level.
  std::uint64_t row_bytes(std::uint32_t level = 0) const { return this->level(level).row_bytes; }
  /// The number of slices of a level: its depth, or the array's layers.
  std::uint32_t slices(std::uint32_t level = 0) const;

  // Each accesses a part of a row, from the row's byte `x_bytes` on. `slice` is the index of a
  // depth slice, a layer or a face. Throws InputError if the part is not within the level.
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
