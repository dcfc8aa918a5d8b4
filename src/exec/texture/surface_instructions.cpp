#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/lane_mask.h"
#include "exec/block/warp_context.h"
#include "exec/fault/fault.h"
#include "exec/texture/instruction_operands.h"
#include "exec/texture/texture_instructions.h"
#include "exec/texture/texture_unit.h"

namespace heddle::exec {
namespace {

using code::Reduction;
using code::SurfaceBoundary;

/// The location of a lane's access to a surface.
struct SurfacePlace {
  const Image* image = nullptr;
  /// The host's address. Null: the access is outside of the surface, reads zero and writes nothing.
  std::byte* host = nullptr;
};

/// If a coordinate is outside of [0, last], applies the instruction's boundary mode: clamps the
/// coordinate, raises a LaneFault, or returns false, which means that the access reads zero and
/// writes nothing. Otherwise returns true. `name` is the coordinate's name, for the message.
bool apply_boundary_mode(std::int64_t& coordinate, std::int64_t last,
                         const code::Instruction& instruction, int lane, const char* name) {
  if (coordinate >= 0 && coordinate <= last) return true;
  switch (instruction.boundary) {
    case SurfaceBoundary::clamp:
      coordinate = std::clamp<std::int64_t>(coordinate, 0, last);
      return true;
    case SurfaceBoundary::zero:
      return false;
    case SurfaceBoundary::trap:
      break;
  }
  raise(FaultKind::surface_bounds, lane, static_cast<std::uint64_t>(coordinate), 0,
        fmt::format("{} {} is outside of the surface: the valid range is 0 to {}", name, coordinate,
                    last));
}

/// Reads the handle and the coordinates of a lane, checks them, and returns the place of the
/// access. The first coordinate is counted in bytes, or in texels if the access is formatted
/// (sust.p). `bytes` is the size of the access. Sets the lane's address in context.address().
SurfacePlace find_place(WarpContext& context, const code::Instruction& instruction, int lane,
                        SourceReader& sources, std::uint32_t bytes) {
  const std::uint64_t handle = sources.next_double_word();
  const TextureUnit* const unit = context.memory.textures;
  const Image* const image = unit == nullptr ? nullptr : unit->find_surface(handle);
  if (image == nullptr) raise_no_texture(context, lane, handle, true);
  check_geometry(*image, instruction, lane, handle);
  const Geometry geometry = geometry_of(instruction.geometry);
  std::byte* const base = host_of(context, *image, lane);
  const auto coordinate = [&] {
    return std::int64_t{static_cast<std::int32_t>(sources.next_word())};
  };
  std::int64_t slice = geometry.has_layer ? coordinate() : 0;
  std::int64_t x = coordinate();
  std::int64_t y = geometry.coordinates > 1 ? coordinate() : 0;
  if (geometry.coordinates > 2) slice = coordinate();

  const ImageLevel& level = image->levels.front();
  if (instruction.formatted) x *= image->format.texel_bytes();
  const auto row_bytes = static_cast<std::int64_t>(level.row_bytes);
  // The size of a formatted store is that of a texel, not that of the instruction's operands.
  const bool whole_texel =
      instruction.formatted && instruction.operation == code::Operation::surface_store;
  const std::int64_t size = whole_texel ? image->format.texel_bytes() : bytes;
  if (size > row_bytes) {
    raise(FaultKind::surface_bounds, lane, 0, bytes,
          fmt::format("an access of {} bytes exceeds the surface's row of {} bytes", size,
                      row_bytes));
  }
  if (x % size != 0) {
    raise(
        FaultKind::misaligned, lane, static_cast<std::uint64_t>(x), bytes,
        fmt::format("byte {} of a surface's row is not aligned to the {} bytes accessed", x, size));
  }
  const std::int64_t last_slice =
      geometry.coordinates > 2 ? std::int64_t{level.depth} - 1 : std::int64_t{image->layers} - 1;
  const bool inside =
      apply_boundary_mode(x, (row_bytes - size) / size * size, instruction, lane, "byte") &&
      apply_boundary_mode(y, std::int64_t{level.height} - 1, instruction, lane, "row") &&
      apply_boundary_mode(slice, last_slice, instruction, lane,
                          geometry.coordinates > 2 ? "slice" : "layer");
  if (!inside) {
    context.address()[static_cast<std::size_t>(lane)] = image->address;
    return {image, nullptr};
  }
  const std::uint64_t address =
      level.address + static_cast<std::uint64_t>(slice) * level.slice_bytes +
      static_cast<std::uint64_t>(y) * level.row_bytes + static_cast<std::uint64_t>(x);
  context.address()[static_cast<std::size_t>(lane)] = address;
  return {image, base + (address - image->address)};
}

/// The bytes that one lane's access has according to the instruction's type.
std::uint32_t access_bytes(const code::Instruction& instruction) {
  return static_cast<std::uint32_t>(size_of(instruction.type)) * instruction.vector_count;
}

/// Reads a value of up to 8 bytes. Device memory is little-endian, and so must be the host.
std::uint64_t read_element(const std::byte* at, std::size_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, bytes);
  return value;
}

void surface_load(WarpContext& context, const Decoded& decoded) {
  const code::Instruction& instruction = context.code[decoded.index];
  const auto size = static_cast<std::size_t>(size_of(instruction.type));
  std::array<std::array<std::uint64_t, 4>, 32> results{};
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const int lane = remaining.lowest();
    SourceReader sources(context, decoded, lane);
    const SurfacePlace place =
        find_place(context, instruction, lane, sources, access_bytes(instruction));
    if (place.host == nullptr) continue;
    for (std::size_t k = 0; k < instruction.vector_count; ++k) {
      results[static_cast<std::size_t>(lane)][k] = read_element(place.host + k * size, size);
    }
  }
  for (std::size_t k = 0; k < instruction.vector_count; ++k) {
    if (!decoded.destination[k].present()) continue;
    std::uint32_t* const out = context.lanes(decoded.destination[k]);
    for (LaneMask remaining(context.active); !remaining.empty();
         remaining = remaining.without_lowest()) {
      const auto lane = static_cast<std::size_t>(remaining.lowest());
      out[lane] = static_cast<std::uint32_t>(results[lane][k]);
      if (size == 8) out[lane + 32] = static_cast<std::uint32_t>(results[lane][k] >> 32);
    }
  }
}

/// Calls act(instruction, place, sources) for each active lane whose access is not left out. All
/// lanes are checked before the first call.
template <class Act>
void act_on_places(WarpContext& context, const Decoded& decoded, Act act) {
  const code::Instruction& instruction = context.code[decoded.index];
  for (const bool is_second_pass : {false, true}) {
    for (LaneMask remaining(context.active); !remaining.empty();
         remaining = remaining.without_lowest()) {
      SourceReader sources(context, decoded, remaining.lowest());
      const SurfacePlace place =
          find_place(context, instruction, remaining.lowest(), sources, access_bytes(instruction));
      if (is_second_pass && place.host != nullptr) act(instruction, place, sources);
    }
  }
}

void surface_store(WarpContext& context, const Decoded& decoded) {
  act_on_places(
      context, decoded,
      [](const code::Instruction& instruction, const SurfacePlace& place, SourceReader& sources) {
        const auto size = static_cast<std::size_t>(size_of(instruction.type));
        if (instruction.formatted) {
          RawTexel values{};
          for (std::size_t k = 0; k < instruction.vector_count; ++k) {
            values[k] = sources.next_word();
          }
          write_formatted(place.image->format, values, place.host);
          return;
        }
        for (std::size_t k = 0; k < instruction.vector_count; ++k) {
          const std::uint64_t value = size == 8 ? sources.next_double_word() : sources.next_word();
          std::memcpy(place.host + k * size, &value, size);
        }
      });
}

template <class T>
T reduced(Reduction reduction, T old, T operand) {
  switch (reduction) {
    case Reduction::and_:
      return old & operand;
    case Reduction::or_:
      return old | operand;
    case Reduction::min:
      return std::min(old, operand);
    case Reduction::max:
      return std::max(old, operand);
    default:
      return static_cast<T>(static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(operand));
  }
}

template <class T>
void surface_reduce(WarpContext& context, const Decoded& decoded) {
  act_on_places(
      context, decoded,
      [](const code::Instruction& instruction, const SurfacePlace& place, SourceReader& sources) {
        T old;
        std::memcpy(&old, place.host, sizeof old);
        const auto operand =
            static_cast<T>(sizeof(T) == 8 ? sources.next_double_word() : sources.next_word());
        old = reduced(instruction.reduction, old, operand);
        std::memcpy(place.host, &old, sizeof old);
      });
}

Handler select_reduce(const code::Instruction& instruction) {
  switch (instruction.reduction) {
    case Reduction::add:
    case Reduction::min:
    case Reduction::max:
    case Reduction::and_:
    case Reduction::or_:
      break;
    default:
      return nullptr;
  }
  switch (instruction.type) {
    case ValueType::u32:
    case ValueType::b32:
      return surface_reduce<std::uint32_t>;
    case ValueType::s32:
      return surface_reduce<std::int32_t>;
    case ValueType::u64:
    case ValueType::b64:
      return surface_reduce<std::uint64_t>;
    case ValueType::s64:
      return surface_reduce<std::int64_t>;
    default:
      return nullptr;
  }
}

}  // namespace

Handler select_surface_instruction(const code::Instruction& instruction) {
  const Geometry geometry = geometry_of(instruction.geometry);
  const std::size_t coordinates = 1 + (geometry.has_layer ? 1U : 0U) + geometry.coordinates;
  const std::size_t count = instruction.vector_count;
  const int size = size_of(instruction.type);
  const bool is_supported = !geometry.cube && count <= 4 && std::has_single_bit(count) &&
                            (size == 1 || size == 2 || size == 4 || size == 8);
  if (!is_supported) return nullptr;
  if (!has_sources(instruction, 0, 1, 2) || !has_sources(instruction, 1, coordinates - 1, 1)) {
    return nullptr;
  }
  const int width = size == 8 ? 2 : 1;
  switch (instruction.operation) {
    case code::Operation::surface_load:
      return instruction.formatted ? nullptr : surface_load;
    case code::Operation::surface_store:
      return (!instruction.formatted || size == 4) &&
                     has_sources(instruction, coordinates, count, width)
                 ? surface_store
                 : nullptr;
    case code::Operation::surface_reduce:
      return count == 1 && has_sources(instruction, coordinates, 1, width)
                 ? select_reduce(instruction)
                 : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec
