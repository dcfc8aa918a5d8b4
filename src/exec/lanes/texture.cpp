// Reads of textures for all lanes at once (exec/texture/texture_view.h). All other texture
// instructions are executed lane by lane, in exec/texture.

#include <cstdint>

#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/texture_places.h"
#include "exec/lanes/texture_texels.h"
#include "exec/memory/memory_access.h"
#include "exec/texture/instruction_operands.h"
#include "exec/texture/texture_instructions.h"
#include "exec/texture/texture_view.h"

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

/// One texture read of a warp.
struct WarpRead {
  explicit WarpRead(const ViewedTexture& texture) : view(*texture.view), host(texture.host) {}

  const TextureView& view;
  const std::byte* host;  ///< The host's address of the first texel.
  unsigned needed = 0;    ///< A bit for each channel that has a destination.
  /// Whether Span::outside is set, and the words of texels outside of the image.
  bool has_outside = false;
  std::uint32_t border[4] = {};
  LaneOffsets layers = {};  ///< The offsets of the layers.
  Span spans[3];
  LaneBits results[4];
};

[[gnu::always_inline]] inline std::uint32_t stride_of(const TextureView& view, int d) {
  if (d == 0) return view.format.texel_bytes();
  return d == 1 ? view.row_bytes : view.slice_bytes;
}

/// Finds the offset of the texels at one corner of the filter, and which of them are outside. Bit d
/// of `corner` selects one of the two texels along dimension d.
void find_corner(const WarpRead& read, unsigned corner, LaneOffsets& offsets, LaneBits& outside) {
  offsets = read.layers;
  outside = {};
  for (int d = 0; d < read.view.dimensions; ++d) {
    const unsigned side = corner >> d & 1;
    add_offsets(read.spans[d].index[side], stride_of(read.view, d), offsets);
    if (!read.has_outside) continue;
    const LaneBits& beyond = read.spans[d].outside[side];
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) outside.by_lane[lane] |= beyond.by_lane[lane];
  }
}

/// Sampler::corner_weight() for all lanes.
void find_weights(const WarpRead& read, unsigned corner, LaneDoubles& weights) {
  const int dimensions = read.view.dimensions;
  const auto along = [&](int d, int lane) __attribute__((always_inline)) {
    const std::int32_t weight = read.spans[d].weight.by_lane[lane];
    return (corner >> d & 1) != 0 ? weight : 256 - weight;
  };
  if (dimensions == 1) {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) weights.by_lane[lane] = along(0, lane) / 256.0;
    return;
  }
  const std::int32_t* const weights_x = read.spans[0].weight.by_lane;
  const std::int32_t* const weights_y = read.spans[1].weight.by_lane;
  // Each of the four weights is base + xs * x + ys * y + fs * far.
  const std::int32_t base = (corner & 3) == 0 ? 256 : 0;
  const std::int32_t of_x = (corner & 3) == 0 ? -1 : (corner & 3) == 1 ? 1 : 0;
  const std::int32_t of_y = (corner & 3) == 0 ? -1 : (corner & 3) == 2 ? 1 : 0;
  const std::int32_t of_far = (corner & 3) == 0 || (corner & 3) == 3 ? 1 : -1;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const std::int32_t x = weights_x[lane];
    const std::int32_t y = weights_y[lane];
    const std::int32_t far = (x * y + 128) >> 8;
    weights.by_lane[lane] = (base + of_x * x + of_y * y + of_far * far) / 256.0;
  }
  if (dimensions == 2) return;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    weights.by_lane[lane] = weights.by_lane[lane] * along(2, lane) / 256.0;
  }
}

void read_point(WarpRead& read, const LaneOffsets& offsets, const LaneBits& outside) {
  RawTexels raw;
  read_texels(read.view.format, read.host, offsets, read.needed, raw);
  with_channel(read.view, [&](auto channel) {
    for (unsigned c = 0; c < 4; ++c) {
      if ((read.needed >> c & 1) == 0) continue;
      convert_channel<decltype(channel)>(raw.words[c], raw.shift[c], outside, read.border[c],
                                         read.results[c]);
    }
  });
}

template <class Channel, bool kRounds>
void read_linear(WarpRead& read) {
  LaneDoubles sums[4] = {};
  for (unsigned corner = 0; corner < 1U << read.view.dimensions; ++corner) {
    LaneOffsets offsets;
    LaneBits outside;
    LaneDoubles weights;
    RawTexels raw;
    find_corner(read, corner, offsets, outside);
    find_weights(read, corner, weights);
    read_texels(read.view.format, read.host, offsets, read.needed, raw);
    for (unsigned c = 0; c < 4; ++c) {
      if ((read.needed >> c & 1) == 0) continue;
      add_channel<Channel, kRounds>(raw.words[c], raw.shift[c], outside, read.border[c], weights,
                                    sums[c]);
    }
  }
  for (unsigned c = 0; c < 4; ++c) {
    if ((read.needed >> c & 1) != 0) convert_sums<kRounds>(sums[c], read.results[c]);
  }
}

void read_linear(WarpRead& read) {
  const ChannelFormat& format = read.view.format;
  if (format.kind == ChannelKind::floating)
    return read_linear<RawChannel<std::uint32_t>, false>(read);
  if (format.kind == ChannelKind::unsigned_integer) {
    return format.bits == 8 ? read_linear<FractionChannel<std::uint8_t>, true>(read)
                            : read_linear<FractionChannel<std::uint16_t>, true>(read);
  }
  return format.bits == 8 ? read_linear<FractionChannel<std::int8_t>, false>(read)
                          : read_linear<FractionChannel<std::int16_t>, false>(read);
}

/// Finds the texels for the instruction's coordinates, which begin at `sources`.
void find_spans(const WarpContext& context, const OperandRef* sources, bool is_integer,
                WarpRead& read) {
  const TextureView& view = read.view;
  // Integer coordinates outside of a buffer read zeros, whatever the mode.
  const bool reads_zeros = is_integer && view.is_buffer;
  for (std::size_t c = 0; c < 4; ++c) read.border[c] = reads_zeros ? 0 : view.border[c];
  for (int d = 0; d < view.dimensions; ++d) {
    const auto index = static_cast<std::size_t>(d);
    const std::uint32_t* const coordinates = context.lanes(sources[d]);
    const bool has_border = reads_zeros || view.modes[index] == AddressMode::border;
    if (is_integer) {
      find_texels(coordinates, view.extents[index], read.spans[d]);
    } else {
      find_span(coordinates, view, d, read.spans[d]);
    }
    read.has_outside |= has_border;
  }
  if (!read.has_outside) return;
  for (int d = 0; d < view.dimensions; ++d) {
    if (reads_zeros || view.modes[static_cast<std::size_t>(d)] == AddressMode::border) continue;
    read.spans[d].outside[0] = {};
    read.spans[d].outside[1] = {};
  }
}

/// Writes the results, and the addresses of the first texels that the filter reads.
void finish_read(WarpContext& context, const Decoded& decoded, const LaneOffsets& first,
                 const WarpRead& read) {
  std::uint64_t* const address = context.address().data();
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) address[lane] = read.view.address + first.by_lane[lane];
  for (unsigned c = 0; c < 4; ++c) {
    if ((read.needed >> c & 1) == 0) continue;
    merge_registers<1>(context.lanes(decoded.destination[c]), read.results[c].by_lane,
                       context.active);
  }
}

void read_for_warp(WarpContext& context, const Decoded& decoded, const ViewedTexture& texture) {
  const code::Instruction& instruction = context.code[decoded.index];
  WarpRead read(texture);
  for (unsigned c = 0; c < 4; ++c) read.needed |= decoded.destination[c].present() ? 1U << c : 0;
  const OperandRef* sources = sources_of(context, decoded) + 1;
  if (geometry_of(instruction.geometry).has_layer) {
    Span layer;
    find_texels(context.lanes(*sources++), read.view.layers, layer);
    add_offsets(layer.index[0], read.view.slice_bytes, read.layers);
  }
  const bool is_integer = instruction.source_type != ValueType::f32;
  find_spans(context, sources, is_integer, read);
  LaneOffsets first;
  LaneBits outside;
  find_corner(read, 0, first, outside);
  // Integer coordinates select texels, whatever the filter.
  if (read.view.linear && !is_integer) {
    read_linear(read);
  } else {
    read_point(read, first, outside);
  }
  finish_read(context, decoded, first, read);
}

void texture(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  if (have_one_handle(context, decoded)) {
    const ViewedTexture texture = find_view(context, decoded);
    if (texture.view != nullptr) {
      read_for_warp(context, decoded, texture);
      // The predicate tells whether all texels were resident in memory. In Heddle they always are.
      context.set_predicate(decoded.predicate_destination[0], kAllLanes);
      return;
    }
  }
  read_texture(context, decoded);
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
      return lane_by_lane != nullptr && may_read_for_warp(instruction) ? texture : lane_by_lane;
    }
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
