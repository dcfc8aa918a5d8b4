// Plain reads of textures (exec/texture/plain_texture.h). All other texture instructions are
// executed lane by lane, in exec/texture.

#include <cstdint>
#include <type_traits>

#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/memory_elements.h"
#include "exec/memory/memory_access.h"
#include "exec/texture/plain_texture.h"
#include "exec/texture/sampler.h"
#include "exec/texture/texture_instructions.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

/// Whether all active lanes have the same texture handle.
bool have_one_handle(const WarpContext& context, const Decoded& decoded) {
  const std::uint32_t* const handles = context.lanes(sources_of(context, decoded)[0]);
  const int first = __builtin_ctz(context.active);
  const std::uint32_t low = handles[first];
  const std::uint32_t high = handles[first + 32];
  std::uint32_t different = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint32_t bits = (handles[lane] ^ low) | (handles[lane + 32] ^ high);
    different |= choose(has_lane(context.active, lane), bits, 0);
  }
  return different == 0;
}

/// The index of a texel in one dimension, by lane.
struct TexelIndices {
  alignas(64) std::int32_t by_lane[32];
};

/// Finds the texels that contain the coordinates, clamped to the image. NaN selects texel 0.
template <bool kNormalized>
[[gnu::always_inline]] inline void find_texels(const std::uint32_t* coordinates,
                                               std::uint32_t extent, TexelIndices& texels) {
  // A float represents every index exactly. Normalized coordinates need the precision of a double.
  using Number = std::conditional_t<kNormalized, double, float>;
  const auto last = static_cast<Number>(extent - 1);
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    Number place = get<float>(coordinates, lane);
    if constexpr (kNormalized) place = normalized_place(place, extent);
    const Number inside = place > 0 ? (place < last ? place : last) : 0;
    // The value is not negative, so truncation rounds downwards. It is an int32, because every
    // vector unit converts numbers to that type.
    texels.by_lane[lane] = static_cast<std::int32_t>(inside);
  }
}

/// Writes the addresses of the texels of all lanes to context.address().
void find_texel_addresses(WarpContext& context, const Decoded& decoded,
                          const PlainTexture& texture) {
  const OperandRef* const sources = sources_of(context, decoded);
  TexelIndices x;
  TexelIndices y;
  if (texture.normalized) {
    find_texels<true>(context.lanes(sources[1]), texture.width, x);
    find_texels<true>(context.lanes(sources[2]), texture.height, y);
  } else {
    find_texels<false>(context.lanes(sources[1]), texture.width, x);
    find_texels<false>(context.lanes(sources[2]), texture.height, y);
  }
  std::uint64_t* const address = context.address().data();
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    address[lane] =
        texture.address + static_cast<std::uint32_t>(y.by_lane[lane]) * texture.row_bytes +
        static_cast<std::uint32_t>(x.by_lane[lane]) * std::uint64_t{texture.texel_bytes};
  }
}

void read_plain(WarpContext& context, const Decoded& decoded, const PlainTexture& texture) {
  // All addresses are computed before any destination is written, because a destination may be the
  // same register as a coordinate.
  find_texel_addresses(context, decoded, texture);
  ElementRegisters elements{.registers = {}, .count = texture.channels};
  for (std::uint32_t k = 0; k < 4; ++k) {
    const OperandRef destination = decoded.destination[k];
    if (!destination.present()) continue;
    std::uint32_t* const out = context.lanes(destination);
    if (k < texture.channels) {
      elements.registers[k] = out;
    } else {
      // Channels that the format lacks are 0.
      HEDDLE_LANE_LOOP
      for (int lane = 0; lane < 32; ++lane) blend(context.active, out, lane, std::uint32_t{0});
    }
  }
  load_linear<std::uint32_t, 1>(context.address().data(),
                                {.lanes = context.active, .host = texture.host}, elements);
}

void texture(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  PlainTexture plain;
  if (have_one_handle(context, decoded) && find_plain_texture(context, decoded, plain)) {
    read_plain(context, decoded, plain);
    // The predicate tells whether all texels were resident in memory. In Heddle they always are.
    context.set_predicate(decoded.predicate_destination[0], kAllLanes);
  } else {
    read_texture(context, decoded);
  }
}

}  // namespace

Handler select_texture(const code::Instruction& instruction) {
  switch (instruction.operation) {
    case code::Operation::texture:
    case code::Operation::texture_query:
    case code::Operation::surface_load:
    case code::Operation::surface_store:
    case code::Operation::surface_reduce: {
      const Handler lane_by_lane = select_texture_instruction(instruction);
      return lane_by_lane != nullptr && may_read_plain(instruction) ? texture : lane_by_lane;
    }
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
