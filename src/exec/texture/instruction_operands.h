#pragma once

// These functions read the operands of texture and surface instructions, and check the images that
// the instructions access.

#include <cstddef>
#include <cstdint>

#include "code/instruction.h"
#include "exec/block/warp_context.h"
#include "exec/memory/memory_access.h"
#include "exec/texture/image.h"

namespace heddle::exec {

struct Texture;

/// The coordinates that an instruction for a texture geometry has.
struct Geometry {
  std::size_t coordinates = 2;  ///< The number of coordinates except the array index.
  bool has_layer = false;       ///< Whether an array index precedes the coordinates.
  bool cube = false;            ///< Whether the coordinates are a direction in a cube map.
};

constexpr Geometry geometry_of(code::TextureGeometry geometry) {
  switch (geometry) {
    case code::TextureGeometry::d1:
      return {1, false, false};
    case code::TextureGeometry::d2:
      return {2, false, false};
    case code::TextureGeometry::d3:
      return {3, false, false};
    case code::TextureGeometry::d1_array:
      return {1, true, false};
    case code::TextureGeometry::d2_array:
      return {2, true, false};
    case code::TextureGeometry::cube:
      return {3, false, true};
    case code::TextureGeometry::cube_array:
      return {3, true, true};
  }
  return {};
}

/// Reads the sources of an instruction for one lane, one after another.
class SourceReader {
 public:
  SourceReader(const WarpContext& context, const Decoded& decoded, int lane)
      : context_(context), next_(sources_of(context, decoded)), lane_(lane) {}

  /// Reads the next source, which has 32 bits.
  std::uint32_t next_word() { return next_lanes()[lane_]; }
  /// Reads the next source, which has 64 bits.
  std::uint64_t next_double_word() {
    const std::uint32_t* const lanes = next_lanes();
    return std::uint64_t{lanes[lane_]} | std::uint64_t{lanes[lane_ + 32]} << 32;
  }

 private:
  const std::uint32_t* next_lanes() { return context_.lanes(*next_++); }

  const WarpContext& context_;
  const OperandRef* next_;
  int lane_;
};

/// The host's address of an image's first byte. Raises a LaneFault if the image's memory was freed.
std::byte* host_of(const WarpContext& context, const Image& image, int lane);

/// Raises FaultKind::invalid_texture for a handle that belongs to no texture or, if `surface` is
/// set, to no surface.
[[noreturn]] void raise_no_texture(const WarpContext& context, int lane, std::uint64_t handle,
                                   bool surface);
/// The texture with this handle. Raises a LaneFault if there is none.
const Texture& texture_of(const WarpContext& context, int lane, std::uint64_t handle);
/// Raises a LaneFault if the instruction's geometry differs from that of the image.
void check_geometry(const Image& image, const code::Instruction& instruction, int lane,
                    std::uint64_t handle);

}  // namespace heddle::exec
