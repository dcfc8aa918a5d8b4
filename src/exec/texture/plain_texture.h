#pragma once

// The commonest read of a texture, without the general way's choices for every lane: an unfiltered
// float texel of a two-dimensional image without mipmaps, coordinates clamped to its edges.

#include <cstddef>

#include "exec/block/lane_context.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec {

/// Whether a read of the texture by this instruction is of that kind.
bool is_plain_read(const Texture& texture, const code::Instruction& instruction);
/// Reads it for the active lanes, all of which name this texture, and notes their addresses. `host`
/// is where the image's first byte lies in the host's memory.
void read_plain_texture(LaneContext& context, const Decoded& decoded, const Texture& texture,
                        const std::byte* host);

}  // namespace heddle::exec
