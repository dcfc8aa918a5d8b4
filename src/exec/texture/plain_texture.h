#pragma once

// A fast path for the most common texture read, here called a plain read: an unfiltered read of
// float texels from a two-dimensional image without mipmaps, with coordinates clamped to the edges.

#include <cstddef>

#include "exec/block/warp_context.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec {

/// Whether the instruction's read of the texture is a plain read.
bool is_plain_read(const Texture& texture, const code::Instruction& instruction);
/// Executes a plain read for the active lanes, which must all use `texture`. Writes the addresses
/// of their texels to context.address(). `host` is the host's address of the image's first byte.
void read_plain_texture(WarpContext& context, const Decoded& decoded, const Texture& texture,
                        const std::byte* host);

}  // namespace heddle::exec
