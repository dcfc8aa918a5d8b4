#pragma once

// A fast path for the most common texture read: an unfiltered float texel of a two-dimensional
// image without mipmaps, with coordinates clamped to its edges.

#include <cstddef>

#include "exec/block/warp_context.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec {

/// Whether the fast path applies to a read of the texture by this instruction.
bool is_plain_read(const Texture& texture, const code::Instruction& instruction);
/// Reads the texture for the active lanes, all of which must use it, and writes the addresses of
/// their texels to context.address(). `host` is the host's address of the image's first byte.
void read_plain_texture(WarpContext& context, const Decoded& decoded, const Texture& texture,
                        const std::byte* host);

}  // namespace heddle::exec
