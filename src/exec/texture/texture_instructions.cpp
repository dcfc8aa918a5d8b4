#include "exec/texture/texture_instructions.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "base/half.h"
#include "base/lane_mask.h"
#include "exec/block/warp_context.h"
#include "exec/fault/fault.h"
#include "exec/texture/instruction_operands.h"
#include "exec/texture/sampler.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec {
namespace {

using code::TextureLevel;
using code::TextureQuery;

/// Clamps a layer's index to the layers of the image.
std::uint32_t layer_of(const Image& image, std::uint32_t index) {
  const auto last = static_cast<std::int32_t>(image.layers) - 1;
  return static_cast<std::uint32_t>(std::clamp(static_cast<std::int32_t>(index), 0, last));
}

/// Reads a texel at integer coordinates, which are the next sources.
Sample fetch(const Sampler& sampler, const Image& image, const code::Instruction& instruction,
             SourceReader& sources) {
  const Geometry geometry = geometry_of(instruction.geometry);
  TexturePlace<std::int32_t> place;
  if (geometry.has_layer) place.layer = layer_of(image, sources.next_word());
  for (std::size_t i = 0; i < geometry.coordinates; ++i) {
    place.at[i] = static_cast<std::int32_t>(sources.next_word());
  }
  std::int32_t level = 0;
  if (instruction.level == TextureLevel::level)
    level = static_cast<std::int32_t>(sources.next_word());
  return sampler.fetch(place, static_cast<std::uint32_t>(std::max(level, 0)));
}

/// Reads the texture at float coordinates, which are the next sources.
Sample sample(const Sampler& sampler, const Image& image, const code::Instruction& instruction,
              SourceReader& sources) {
  const Geometry geometry = geometry_of(instruction.geometry);
  TexturePlace<float> place;
  const std::uint32_t index = geometry.has_layer ? sources.next_word() : 0;
  for (std::size_t i = 0; i < geometry.coordinates; ++i) {
    place.at[i] = std::bit_cast<float>(sources.next_word());
  }
  if (geometry.cube) {
    const CubePlace face = cube_place(place.at);
    const auto cubes = static_cast<std::int32_t>(image.layers / 6);
    const std::int32_t cube = std::clamp(static_cast<std::int32_t>(index), 0, cubes - 1);
    place.at = {face.s, face.t, 0};
    place.layer = static_cast<std::uint32_t>(cube) * 6 + face.face;
  } else if (geometry.has_layer) {
    place.layer = layer_of(image, index);
  }
  if (instruction.operation == code::Operation::texture && instruction.gather_component != 0xff) {
    return sampler.gather(place, instruction.gather_component);
  }
  float level = 0;
  if (instruction.level == TextureLevel::level) {
    level = std::bit_cast<float>(sources.next_word());
  } else if (instruction.level == TextureLevel::gradient) {
    std::array<float, 3> dx{};
    std::array<float, 3> dy{};
    for (std::size_t i = 0; i < geometry.coordinates; ++i) {
      dx[i] = std::bit_cast<float>(sources.next_word());
    }
    for (std::size_t i = 0; i < geometry.coordinates; ++i) {
      dy[i] = std::bit_cast<float>(sources.next_word());
    }
    level = sampler.level_of(dx, dy);
  }
  return sampler.sample(place, level);
}

std::uint16_t half_bits(const Sample& sample, std::size_t component) {
  const std::uint32_t bits = sample.bits[component];
  return sample.is_float ? half_of_float(std::bit_cast<float>(bits))
                         : static_cast<std::uint16_t>(bits);
}

/// The four components of a sample as words of the destination registers.
std::array<std::uint32_t, 4> result_words(const Sample& sample, ValueType type) {
  if (type == ValueType::f16) {
    return {half_bits(sample, 0), half_bits(sample, 1), half_bits(sample, 2), half_bits(sample, 3)};
  }
  if (type == ValueType::f16x2) {
    const auto pair = [&](std::size_t low) {
      return std::uint32_t{half_bits(sample, low)} | std::uint32_t{half_bits(sample, low + 1)}
                                                         << 16;
    };
    return {pair(0), pair(2), 0, 0};
  }
  return sample.bits;
}

}  // namespace

void read_texture(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  const code::Instruction& instruction = context.code[decoded.index];
  const bool integer = instruction.source_type != ValueType::f32;
  std::array<std::array<std::uint32_t, 4>, 32> results;
  // The texture is looked up only if the handle differs from that of the previous lane: mostly, all
  // lanes read the same texture.
  std::uint64_t last_handle = 0;
  const Texture* read = nullptr;
  const std::byte* host = nullptr;
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const int lane = remaining.lowest();
    const auto index = static_cast<std::size_t>(lane);
    SourceReader sources(context, decoded, lane);
    const std::uint64_t handle = sources.next_double_word();
    if (read == nullptr || handle != last_handle) {
      read = &texture_of(context, lane, handle);
      check_geometry(read->image, instruction, lane, handle);
      host = host_of(context, read->image, lane);
      last_handle = handle;
    }
    const Sampler sampler(*read, host);
    const Sample result = integer ? fetch(sampler, read->image, instruction, sources)
                                  : sample(sampler, read->image, instruction, sources);
    results[index] = result_words(result, instruction.type);
    context.address()[index] = result.address;
  }
  for (std::size_t k = 0; k < std::size(decoded.destination); ++k) {
    if (!decoded.destination[k].present()) continue;
    std::uint32_t* const out = context.lanes(decoded.destination[k]);
    for (LaneMask remaining(context.active); !remaining.empty();
         remaining = remaining.without_lowest()) {
      const auto lane = static_cast<std::size_t>(remaining.lowest());
      out[lane] = results[lane][k];
    }
  }
  // The predicate tells whether all texels were resident in memory. In Heddle they always are.
  context.set_predicate(decoded.predicate_destination[0], ~std::uint32_t{0});
}

namespace {

// -- queries --------------------------------------------------------------------------------------

/// The channel data type in the encoding of OpenCL, as PTX specifies for txq and suq.
std::uint32_t channel_data_type(const Image& image, bool normalized) {
  const ChannelFormat& format = image.format;
  const std::uint32_t size = format.bits == 8 ? 0 : format.bits == 16 ? 1 : 2;
  switch (format.kind) {
    case ChannelKind::floating:
      return format.bits == 16 ? 0x10dd : 0x10de;
    case ChannelKind::signed_integer:
      return (normalized ? 0x10d0 : 0x10d7) + size;
    case ChannelKind::unsigned_integer:
      return (normalized ? 0x10d2 : 0x10da) + size;
  }
  return 0;
}

/// The channel order, in the same encoding.
std::uint32_t channel_order(const Image& image) {
  return image.format.channels == 1 ? 0x10b0 : image.format.channels == 2 ? 0x10b2 : 0x10b5;
}

/// The value of an address mode in PTX, whose modes 0 to 4 are wrap, mirror, clamp_ogl,
/// clamp_to_edge and clamp_to_border.
std::uint32_t address_mode(AddressMode mode) {
  switch (mode) {
    case AddressMode::wrap:
      return 0;
    case AddressMode::mirror:
      return 1;
    case AddressMode::clamp:
      return 3;
    case AddressMode::border:
      return 4;
  }
  return 0;
}

std::uint32_t query_value(TextureQuery query, const Image& image, const SamplerDescription& sampler,
                          std::uint32_t level) {
  const ImageLevel& image_level =
      image.levels[std::min<std::size_t>(level, image.levels.size() - 1)];
  switch (query) {
    case TextureQuery::width:
      return image_level.width;
    case TextureQuery::height:
      return image.dimensions > 1 ? image_level.height : 0;
    case TextureQuery::depth:
      return image.dimensions > 2 ? image_level.depth : 0;
    case TextureQuery::channel_data_type:
      return channel_data_type(image, sampler.normalized_float);
    case TextureQuery::channel_order:
      return channel_order(image);
    case TextureQuery::array_size:
      return !image.layered ? 0 : image.cube ? image.layers / 6 : image.layers;
    case TextureQuery::mip_levels:
      return static_cast<std::uint32_t>(image.levels.size());
    case TextureQuery::samples:
      return 1;
    case TextureQuery::normalized_coordinates:
      return sampler.normalized_coordinates ? 1 : 0;
    case TextureQuery::force_unnormalized:
      return 0;
    case TextureQuery::filter_mode:
      return sampler.filter == FilterMode::linear ? 1 : 0;
    case TextureQuery::address_mode_0:
      return address_mode(sampler.address_modes[0]);
    case TextureQuery::address_mode_1:
      return address_mode(sampler.address_modes[1]);
    case TextureQuery::address_mode_2:
      return address_mode(sampler.address_modes[2]);
  }
  return 0;
}

void texture_query(WarpContext& context, const Decoded& decoded) {
  const code::Instruction& instruction = context.code[decoded.index];
  std::array<std::uint32_t, 32> values{};
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const int lane = remaining.lowest();
    SourceReader sources(context, decoded, lane);
    const std::uint64_t handle = sources.next_double_word();
    const std::uint32_t level = decoded.source_count > 1 ? sources.next_word() : 0;
    const auto index = static_cast<std::size_t>(lane);
    if (instruction.is_surface_query) {
      const TextureUnit* const unit = context.memory.textures;
      const Image* const surface = unit == nullptr ? nullptr : unit->find_surface(handle);
      if (surface == nullptr) raise_no_texture(context, lane, handle, true);
      values[index] = query_value(instruction.query, *surface, {}, level);
    } else {
      const Texture& queried = texture_of(context, lane, handle);
      values[index] = query_value(instruction.query, queried.image, queried.sampler, level);
    }
  }
  std::uint32_t* const out = context.lanes(decoded.destination[0]);
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const auto lane = static_cast<std::size_t>(remaining.lowest());
    out[lane] = values[lane];
  }
}

/// The number of sources of a tex or tld4 instruction: the handle, the coordinates, and the level
/// or the gradients.
std::size_t source_count(const code::Instruction& instruction) {
  const Geometry geometry = geometry_of(instruction.geometry);
  std::size_t count = 1 + (geometry.has_layer ? 1U : 0U) + geometry.coordinates;
  if (instruction.level == TextureLevel::level) count += 1;
  if (instruction.level == TextureLevel::gradient) count += 2 * geometry.coordinates;
  return count;
}

Handler select_texture(const code::Instruction& instruction) {
  const Geometry geometry = geometry_of(instruction.geometry);
  const bool integer = instruction.source_type == ValueType::s32 ||
                       instruction.source_type == ValueType::u32 ||
                       instruction.source_type == ValueType::b32;
  const bool gathers = instruction.gather_component != 0xff;
  if (!integer && instruction.source_type != ValueType::f32) return nullptr;
  if (!has_sources(instruction, 0, 1, 2) ||
      !has_sources(instruction, 1, source_count(instruction) - 1, 1)) {
    return nullptr;
  }
  if (integer && (geometry.cube || gathers || instruction.level == TextureLevel::gradient)) {
    return nullptr;
  }
  if (gathers && (instruction.gather_component > 3 || geometry.coordinates < 2 ||
                  (geometry.coordinates == 3 && !geometry.cube))) {
    return nullptr;
  }
  switch (instruction.type) {
    case ValueType::u32:
    case ValueType::s32:
    case ValueType::b32:
    case ValueType::f32:
    case ValueType::f16:
    case ValueType::f16x2:
      return read_texture;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_texture_instruction(const code::Instruction& instruction) {
  switch (instruction.operation) {
    case code::Operation::texture:
      return select_texture(instruction);
    case code::Operation::texture_query:
      return instruction.destinations.size() == 1 && instruction.destinations[0].is_register() &&
                     has_sources(instruction, 0, 1, 2)
                 ? texture_query
                 : nullptr;
    default:
      return select_surface_instruction(instruction);
  }
}

}  // namespace heddle::exec
