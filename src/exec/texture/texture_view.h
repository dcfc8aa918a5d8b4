#pragma once

// Most texture reads are executed for all lanes at once (exec/lanes/texture.cpp): those of images
// without mipmaps that are no cube maps, and whose texels are integers or 32-bit floats.

#include <array>
#include <cstdint>

#include "code/instruction.h"
#include "exec/decoded.h"
#include "exec/texture/channel_format.h"
#include "exec/texture/image.h"

namespace heddle::exec {

struct SamplerDescription;
struct WarpContext;

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

/// What a read of a texture for all lanes needs to know about it.
struct TextureView {
  bool is_supported = false;  ///< If not, the texture is read lane by lane.
  bool linear = false;        ///< Whether texels are filtered.
  bool normalized = false;    ///< Whether coordinates from 0 to 1 span the image.
  bool gives_floats = false;  ///< Whether integer texels become floats.
  bool is_buffer = false;     ///< As Image::linear_memory.
  std::uint8_t dimensions = 0;
  ChannelFormat format;
  /// The modes for float coordinates. A mode that acts as another one is replaced by that one.
  std::array<AddressMode, 3> modes{};
  std::array<std::uint32_t, 4> border{};  ///< The words of a texel outside of the image.
  std::array<std::uint32_t, 3> extents{};
  std::uint32_t layers = 1;
  std::uint32_t row_bytes = 0;
  std::uint32_t slice_bytes = 0;
  std::uint64_t address = 0;  ///< The device address of the first texel.
};

TextureView view_of(const Image& image, const SamplerDescription& sampler);

/// Whether the instruction reads textures that support it for all lanes at once.
bool may_read_for_warp(const code::Instruction& instruction);

struct ViewedTexture {
  const TextureView* view = nullptr;  ///< Null if the texture must be read lane by lane.
  const std::byte* host = nullptr;    ///< The host's address of the first texel.
};
/// Finds the texture of the lowest active lane. Raises a LaneFault if the instruction cannot read
/// the texture.
ViewedTexture find_view(const WarpContext& context, const Decoded& decoded);

}  // namespace heddle::exec
