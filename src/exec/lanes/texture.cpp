// Reads of textures for all lanes at once (exec/texture/texture_view.h). All other texture
// instructions are executed lane by lane, in exec/texture.

#include <cstddef>
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
  bool has_layers = false;
  Span layer;
  Span spans[3];
  LaneBits results[4];
};

constexpr LaneBits kNoLaneOutside{};

[[gnu::always_inline]] inline void add(const LaneOffsets& more, LaneOffsets& sum) {
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) sum.by_lane[lane] += more.by_lane[lane];
}

/// Finds the offsets of the texels at one corner of the filter. Bit d of `corner` selects one of
/// the two texels along dimension d.
void find_offsets(const WarpRead& read, unsigned corner, LaneOffsets& offsets) {
  offsets = read.spans[0].offset[corner & 1];
  for (int d = 1; d < read.view.dimensions; ++d) {
    add(read.spans[d].offset[corner >> d & 1], offsets);
  }
  if (read.has_layers) add(read.layer.offset[0], offsets);
}

/// The lanes whose texel at a corner of the filter is outside of the image. May write to `buffer`.
const LaneBits& find_outside(const WarpRead& read, unsigned corner, LaneBits& buffer) {
  if (!read.has_outside) return kNoLaneOutside;
  buffer = read.spans[0].outside[corner & 1];
  for (int d = 1; d < read.view.dimensions; ++d) {
    const LaneBits& beyond = read.spans[d].outside[corner >> d & 1];
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) buffer.by_lane[lane] |= beyond.by_lane[lane];
  }
  return buffer;
}

/// The weights of the texels at all corners of a filter.
struct CornerWeights {
  LaneDoubles corner[8];
};

/// Sampler::corner_weight() for all lanes.
void find_weights(const WarpRead& read, CornerWeights& weights) {
  const std::int32_t* const along_x = read.spans[0].weight.by_lane;
  if (read.view.dimensions == 1) {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      weights.corner[0].by_lane[lane] = (256 - along_x[lane]) / 256.0;
      weights.corner[1].by_lane[lane] = along_x[lane] / 256.0;
    }
    return;
  }
  const std::int32_t* const along_y = read.spans[1].weight.by_lane;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const std::int32_t x = along_x[lane];
    const std::int32_t y = along_y[lane];
    const std::int32_t far = (x * y + 128) >> 8;
    weights.corner[0].by_lane[lane] = (256 - x - y + far) / 256.0;
    weights.corner[1].by_lane[lane] = (x - far) / 256.0;
    weights.corner[2].by_lane[lane] = (y - far) / 256.0;
    weights.corner[3].by_lane[lane] = far / 256.0;
  }
  if (read.view.dimensions == 2) return;
  const std::int32_t* const along_z = read.spans[2].weight.by_lane;
  for (int corner = 0; corner < 4; ++corner) {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      const double weight = weights.corner[corner].by_lane[lane];
      weights.corner[corner].by_lane[lane] = weight * (256 - along_z[lane]) / 256.0;
      weights.corner[corner + 4].by_lane[lane] = weight * along_z[lane] / 256.0;
    }
  }
}

void read_point(WarpRead& read, const LaneOffsets& offsets) {
  const ChannelFormat& format = read.view.format;
  if (format.bits == 32 && !read.has_outside) {
    for (unsigned c = 0; c < 4; ++c) {
      if ((read.needed >> c & 1) == 0) continue;
      if (c < format.channels) {
        read_words<std::uint32_t>(read.host + std::size_t{c} * 4, offsets, read.results[c]);
      } else {
        read.results[c] = {};
      }
    }
    return;
  }
  LaneBits buffer;
  const LaneBits& outside = find_outside(read, 0, buffer);
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
  CornerWeights weights;
  find_weights(read, weights);
  for (unsigned corner = 0; corner < 1U << read.view.dimensions; ++corner) {
    LaneOffsets offsets;
    LaneBits buffer;
    RawTexels raw;
    find_offsets(read, corner, offsets);
    const LaneBits& outside = find_outside(read, corner, buffer);
    read_texels(read.view.format, read.host, offsets, read.needed, raw);
    for (unsigned c = 0; c < 4; ++c) {
      if ((read.needed >> c & 1) == 0) continue;
      add_channel<Channel, kRounds>(raw.words[c], raw.shift[c], outside, read.border[c],
                                    weights.corner[corner], sums[c]);
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

[[gnu::always_inline]] inline std::uint32_t stride_of(const TextureView& view, int d) {
  if (d == 0) return view.format.texel_bytes();
  return d == 1 ? view.row_bytes : view.slice_bytes;
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
    const std::uint32_t extent = view.extents[index];
    const std::uint32_t stride = stride_of(view, d);
    if (is_integer) {
      find_texels(coordinates, extent, stride, read.spans[d]);
    } else {
      find_span(coordinates, view, index, {static_cast<double>(extent), stride}, read.spans[d]);
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
    std::uint32_t* const out = context.lanes(decoded.destination[c]);
    const LaneBits& result = read.results[c];
    if (context.active != kAllLanes) {
      merge_registers<1>(out, result.by_lane, context.active);
    } else {
      HEDDLE_LANE_LOOP
      for (int lane = 0; lane < 32; ++lane) out[lane] = result.by_lane[lane];
    }
  }
}

void read_for_warp(WarpContext& context, const Decoded& decoded, const ViewedTexture& texture) {
  const code::Instruction& instruction = context.code[decoded.index];
  WarpRead read(texture);
  for (unsigned c = 0; c < 4; ++c) read.needed |= decoded.destination[c].present() ? 1U << c : 0;
  const OperandRef* sources = sources_of(context, decoded) + 1;
  if (geometry_of(instruction.geometry).has_layer) {
    read.has_layers = true;
    find_texels(context.lanes(*sources++), read.view.layers, read.view.slice_bytes, read.layer);
  }
  const bool is_integer = instruction.source_type != ValueType::f32;
  find_spans(context, sources, is_integer, read);
  LaneOffsets first;
  find_offsets(read, 0, first);
  // Integer coordinates select texels, whatever the filter.
  if (read.view.linear && !is_integer) {
    read_linear(read);
  } else {
    read_point(read, first);
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
