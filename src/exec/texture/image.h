#pragma once

#include <cstdint>
#include <vector>

#include "exec/texture/channel_format.h"

namespace heddle::exec {

/// A mipmap level in device memory. It consists of slices; a slice consists of rows of texels.
struct ImageLevel {
  std::uint64_t address = 0;
  std::uint32_t width = 1, height = 1, depth = 1;  ///< In texels.
  std::uint64_t row_bytes = 0;                     ///< The distance between the starts of rows.
  std::uint64_t slice_bytes = 0;  ///< The distance between the starts of slices or layers.

  /// The device address of a texel. `slice` is the index of a depth slice or a layer.
  std::uint64_t texel_address(std::uint32_t x, std::uint32_t y, std::uint32_t slice,
                              std::uint32_t texel_bytes) const {
    return address + slice * slice_bytes + y * row_bytes + std::uint64_t{x} * texel_bytes;
  }
};

/// The texels that a texture or a surface accesses. They lie within one allocation.
struct Image {
  ChannelFormat format;
  int dimensions = 2;          ///< The number of coordinates in a layer: 1, 2 or 3.
  bool layered = false;        ///< Whether an index selects one of its layers (or cubes).
  bool cube = false;           ///< Whether it is a cube map: each cube has six layers, its faces.
  bool linear_memory = false;  ///< Whether it is a buffer, read by integer coordinates only.
  std::uint32_t layers = 1;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::vector<ImageLevel> levels;  ///< Mipmap levels, the largest first; never empty.
};

}  // namespace heddle::exec
