#include "exec/texture/texture_view.h"

#include <bit>

#include "base/lane_mask.h"
#include "exec/texture/instruction_operands.h"
#include "exec/texture/sampler.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec {
namespace {

/// The maximum extent of a viewed image. Indices and their successors fit in 32 bits.
constexpr std::uint32_t kMaxExtent = 1U << 30;

bool is_supported(const Image& image, const SamplerDescription& sampler) {
  const ImageLevel& level = image.levels.front();
  const ChannelFormat& format = image.format;
  const bool is_half = format.kind == ChannelKind::floating && format.bits != 32;
  const bool is_srgb = sampler.srgb && format.kind == ChannelKind::unsigned_integer;
  return image.levels.size() == 1 && !image.cube && !is_half && !is_srgb &&
         level.width <= kMaxExtent && level.height <= kMaxExtent && level.depth <= kMaxExtent &&
         level.row_bytes <= ~std::uint32_t{0} && level.slice_bytes <= ~std::uint32_t{0};
}

}  // namespace

TextureView view_of(const Image& image, const SamplerDescription& sampler) {
  TextureView view;
  view.is_supported = is_supported(image, sampler);
  if (!view.is_supported) return view;
  const ImageLevel& level = image.levels.front();
  view.linear = sampler.filter == FilterMode::linear;
  view.normalized = sampler.normalized_coordinates;
  view.gives_floats = sampler.normalized_float || image.format.kind == ChannelKind::floating;
  view.is_buffer = image.linear_memory;
  view.dimensions = static_cast<std::uint8_t>(image.dimensions);
  view.format = image.format;
  for (std::size_t d = 0; d < view.modes.size(); ++d) {
    view.modes[d] = effective_mode(sampler.address_modes[d], image, sampler);
  }
  for (std::size_t c = 0; c < view.border.size(); ++c) {
    view.border[c] = view.gives_floats ? std::bit_cast<std::uint32_t>(sampler.border[c])
                                       : integer_border(image.format.kind, sampler.border[c]);
  }
  view.extents = {level.width, level.height, level.depth};
  view.layers = image.layers;
  view.row_bytes = static_cast<std::uint32_t>(level.row_bytes);
  view.slice_bytes = static_cast<std::uint32_t>(level.slice_bytes);
  view.address = level.address;
  return view;
}

bool may_read_for_warp(const code::Instruction& instruction) {
  const bool has_words = instruction.type == ValueType::f32 || instruction.type == ValueType::u32 ||
                         instruction.type == ValueType::s32 || instruction.type == ValueType::b32;
  return instruction.operation == code::Operation::texture && has_words &&
         !geometry_of(instruction.geometry).cube && instruction.gather_component == 0xff;
}

ViewedTexture find_view(const WarpContext& context, const Decoded& decoded) {
  const int lane = LaneMask(context.active).lowest();
  const std::uint64_t handle = SourceReader(context, decoded, lane).next_double_word();
  const Texture& texture = texture_of(context, lane, handle);
  if (!texture.view.is_supported) return {};
  check_geometry(texture.image, context.code[decoded.index], lane, handle);
  const std::byte* const host = host_of(context, texture.image, lane);
  return {&texture.view, host + (texture.view.address - texture.image.address)};
}

}  // namespace heddle::exec
