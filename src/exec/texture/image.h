#pragma once

#include <cstdint>
#include <vector>

#include "exec/texture/channel_format.h"

namespace heddle::exec {

/// One mipmap level in device memory: slices of rows of texels.
struct ImageLevel {
  std::uint64_t address = 0;
  std::uint32_t width = 1, height = 1, depth = 1;
  std::uint64_t row_bytes = 0;    ///< From one row to the next.
  std::uint64_t slice_bytes = 0;  ///< From one depth or layer to the next.

  std::uint64_t texel_address(std::uint32_t x, std::uint32_t y, std::uint32_t slice,
                              std::uint32_t texel_bytes) const {
    return address + slice * slice_bytes + y * row_bytes + std::uint64_t{x} * texel_bytes;
  }
};

/// Texels that a texture or a surface shows. All of it lies within one allocation.
struct Image {
  ChannelFormat format;
  int dimensions = 2;  ///< 1, 2 or 3: how many coordinates a texel has within a layer.
  bool layered = false;
  bool cube = false;           ///< 2-dimensional, with six layers, the faces, for each cube.
  bool linear_memory = false;  ///< A buffer: fetched by integer coordinates only.
  std::uint32_t layers = 1;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::vector<ImageLevel> levels;  ///< The largest first; never empty.
};

}  // namespace heddle::exec
