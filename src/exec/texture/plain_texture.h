#pragma once

// The most common texture read is here called a plain read: an unfiltered read of float texels from
// a two-dimensional image without mipmaps, with coordinates clamped to the edges. It is executed
// for all lanes at once (exec/lanes/texture.cpp).

#include <cstdint>

#include "exec/block/warp_context.h"

namespace heddle::exec {

/// The texture of a plain read.
struct PlainTexture {
  std::uint64_t address = 0;  ///< The device address of texel (0, 0).
  std::uint64_t row_bytes = 0;
  std::uint32_t texel_bytes = 0;
  std::uint32_t channels = 0;  ///< Each is a float.
  std::uint32_t width = 0;     ///< In texels, at most 2^24.
  std::uint32_t height = 0;    ///< As the width.
  bool normalized = false;     ///< Whether coordinates are normalized.
  std::uintptr_t host = 0;     ///< The host's address of the byte at device address a is host + a.
};

/// Whether the instruction makes plain reads from the textures that permit it.
bool may_read_plain(const code::Instruction& instruction);
/// Returns whether the instruction makes a plain read, and if so, sets `plain`. All active lanes
/// must have the same texture handle. Raises a LaneFault if the instruction cannot read the
/// texture.
bool find_plain_texture(const WarpContext& context, const Decoded& decoded, PlainTexture& plain);

}  // namespace heddle::exec
