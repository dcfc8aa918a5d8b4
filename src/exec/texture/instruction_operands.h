#pragma once

// What texture and surface instructions have in common: their operands and their images.

#include <cstddef>
#include <cstdint>

#include "code/instruction.h"
#include "exec/block/lane_context.h"
#include "exec/memory/memory_access.h"
#include "exec/texture/image.h"

namespace heddle::exec {

/// What a geometry says of the coordinates.
struct Geometry {
  std::size_t coordinates = 2;  ///< Without the array index.
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

/// Reads the sources of one lane, one after another.
class SourceReader {
 public:
  SourceReader(const LaneContext& context, const Decoded& decoded, int lane)
      : context_(context), next_(sources_of(context, decoded)), lane_(lane) {}

  std::uint32_t word() { return row()[lane_]; }
  std::uint64_t wide() {
    const std::uint32_t* const r = row();
    return std::uint64_t{r[lane_]} | std::uint64_t{r[lane_ + 32]} << 32;
  }

 private:
  const std::uint32_t* row() { return context_.row(*next_++); }

  const LaneContext& context_;
  const RowRef* next_;
  int lane_;
};

/// Where an image's first byte lies in the host's memory. Raises where it is in memory no longer.
std::byte* host_of(const LaneContext& context, const Image& image, int lane);

/// Raises FaultKind::invalid_texture for a handle that is none of a texture's (of a surface's).
[[noreturn]] void raise_no_texture(const LaneContext& context, int lane, std::uint64_t handle,
                                   bool surface);
/// Raises where the instruction's geometry is not the image's.
void check_geometry(const Image& image, const code::Instruction& instruction, int lane,
                    std::uint64_t handle);

}  // namespace heddle::exec
