#include "exec/texture/plain_texture.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/lane_mask.h"
#include "exec/memory/memory_access.h"
#include "exec/texture/sampler.h"

namespace heddle::exec {
namespace {

/// The index of the texel that contains a coordinate, clamped to the image. NaN selects texel 0.
std::uint32_t clamped_texel(std::uint32_t coordinate_bits, bool normalized, double extent) {
  const auto coordinate = static_cast<double>(std::bit_cast<float>(coordinate_bits));
  const double place = normalized ? normalized_place(coordinate, extent) : coordinate;
  const double last = extent - 1;
  // The value is not negative, so truncation rounds downwards.
  const double inside = place > 0 ? std::min(place, last) : 0;
  return static_cast<std::uint32_t>(inside);
}

}  // namespace

bool is_plain_read(const Texture& texture, const code::Instruction& instruction) {
  const Image& image = texture.image;
  const SamplerDescription& sampler = texture.sampler;
  return instruction.geometry == code::TextureGeometry::d2 &&
         instruction.level == code::TextureLevel::base &&
         instruction.source_type == ValueType::f32 && instruction.type == ValueType::f32 &&
         instruction.gather_component == 0xff && image.levels.size() == 1 &&
         image.format.kind == ChannelKind::floating && image.format.bits == 32 &&
         sampler.filter == FilterMode::point && sampler.address_modes[0] == AddressMode::clamp &&
         sampler.address_modes[1] == AddressMode::clamp;
}

void read_plain_texture(WarpContext& context, const Decoded& decoded, const Texture& texture,
                        const std::byte* host) {
  const Image& image = texture.image;
  const ImageLevel& level = image.levels.front();
  const bool normalized = texture.sampler.normalized_coordinates;
  const std::uint32_t texel_bytes = image.format.texel_bytes();
  const OperandRef* const sources = sources_of(context, decoded);
  const std::uint32_t* const x = context.lanes(sources[1]);
  const std::uint32_t* const y = context.lanes(sources[2]);

  // All coordinates are read before any destination is written, because a destination may be the
  // same register as a coordinate.
  std::array<std::uint64_t, 32> offsets;
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const auto lane = static_cast<std::size_t>(remaining.lowest());
    context.address()[lane] =
        level.texel_address(clamped_texel(x[lane], normalized, level.width),
                            clamped_texel(y[lane], normalized, level.height), 0, texel_bytes);
    offsets[lane] = context.address()[lane] - image.address;
  }
  constexpr std::array<float, 4> kAbsent{};  // The values of channels that the format lacks.
  for (std::uint32_t k = 0; k < std::size(decoded.destination); ++k) {
    if (!decoded.destination[k].present()) continue;
    std::uint32_t* const out = context.lanes(decoded.destination[k]);
    for (LaneMask remaining(context.active); !remaining.empty();
         remaining = remaining.without_lowest()) {
      const auto lane = static_cast<std::size_t>(remaining.lowest());
      if (k < image.format.channels) {
        std::memcpy(&out[lane], host + offsets[lane] + std::size_t{k} * 4, 4);
      } else {
        out[lane] = std::bit_cast<std::uint32_t>(kAbsent[k]);
      }
    }
  }
}

}  // namespace heddle::exec
