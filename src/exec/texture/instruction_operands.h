#pragma once

// The operands of texture and surface instructions, and checks of the images that they access.

#include <cstddef>
#include <cstdint>

#include "code/instruction.h"
#include "exec/block/warp_context.h"
#include "exec/memory/memory_access.h"
#include "exec/texture/image.h"

namespace heddle::exec {

/// The coordinates of a texture geometry.
struct Geometry {
  std::size_t coordinates = 2;  ///< The number of coordinates without the array index.
  bool has_layer = false;       ///< An array index comes first.
  bool cube = false;
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

/// Reads the sources of one lane in order.
class SourceReader {
 public:
  SourceReader(const WarpContext& context, const Decoded& decoded, int lane)
      : context_(context), next_(sources_of(context, decoded)), lane_(lane) {}

  std::uint32_t word() { return next_lanes()[lane_]; }
  std::uint64_t wide() {
    const std::uint32_t* const lanes = next_lanes();
    return std::uint64_t{lanes[lane_]} | std::uint64_t{lanes[lane_ + 32]} << 32;
  }

 private:
  const std::uint32_t* next_lanes() { return context_.lanes(*next_++); }

  const WarpContext& context_;
  const OperandRef* next_;
  int lane_;
};

/// The host's address of an image's first byte. Raises a LaneFault if the memory was freed.
std::byte* host_of(const WarpContext& context, const Image& image, int lane);

/// Raises FaultKind::invalid_texture for a handle that belongs to no texture or, if `surface` is
/// set, to no surface.
[[noreturn]] void raise_no_texture(const WarpContext& context, int lane, std::uint64_t handle,
                                   bool surface);
/// Raises a LaneFault if the instruction's geometry differs from the image's.
void check_geometry(const Image& image, const code::Instruction& instruction, int lane,
                    std::uint64_t handle);

}  // namespace heddle::exec
