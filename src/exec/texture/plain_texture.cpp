#include "exec/texture/plain_texture.h"

#include "base/lane_mask.h"
#include "exec/texture/instruction_operands.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec {
namespace {

/// Every texel's index in one dimension is exact as a float.
constexpr std::uint32_t kMaxExtent = 1U << 24;

bool permits_plain_reads(const Texture& texture) {
  const Image& image = texture.image;
  const SamplerDescription& sampler = texture.sampler;
  if (image.levels.size() != 1) return false;
  const ImageLevel& level = image.levels.front();
  return level.width <= kMaxExtent && level.height <= kMaxExtent &&
         image.format.kind == ChannelKind::floating && image.format.bits == 32 &&
         sampler.filter == FilterMode::point && sampler.address_modes[0] == AddressMode::clamp &&
         sampler.address_modes[1] == AddressMode::clamp;
}

}  // namespace

bool may_read_plain(const code::Instruction& instruction) {
  return instruction.operation == code::Operation::texture &&
         instruction.geometry == code::TextureGeometry::d2 &&
         instruction.level == code::TextureLevel::base &&
         instruction.source_type == ValueType::f32 && instruction.type == ValueType::f32 &&
         instruction.gather_component == 0xff;
}

bool find_plain_texture(const WarpContext& context, const Decoded& decoded, PlainTexture& plain) {
  const int lane = LaneMask(context.active).lowest();
  const std::uint64_t handle = SourceReader(context, decoded, lane).next_double_word();
  const Texture& texture = texture_of(context, lane, handle);
  if (!permits_plain_reads(texture)) return false;
  const Image& image = texture.image;
  check_geometry(image, context.code[decoded.index], lane, handle);
  const ImageLevel& level = image.levels.front();
  plain = {.address = level.address,
           .row_bytes = level.row_bytes,
           .texel_bytes = image.format.texel_bytes(),
           .channels = image.format.channels,
           .width = level.width,
           .height = level.height,
           .normalized = texture.sampler.normalized_coordinates,
           .host = reinterpret_cast<std::uintptr_t>(host_of(context, image, lane)) - image.address};
  return true;
}

}  // namespace heddle::exec
