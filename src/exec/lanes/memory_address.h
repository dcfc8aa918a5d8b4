#pragma once

// These functions compute the addresses of a warp's memory instruction, and find the memory that
// contains them.

#include <bit>
#include <cstdint>

#include "exec/fault/fault.h"
#include "exec/lanes/lanes.h"
#include "exec/memory/address_space.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec::HEDDLE_LANES {

/// The space and the form of an instruction's address. Each common combination has handlers of its
/// own. The handlers for `any` examine the instruction each time they execute it.
enum class Route : std::uint8_t {
  global,          ///< A 64-bit register.
  generic,         ///< A 64-bit register.
  shared,          ///< A 32-bit register.
  shared_wide,     ///< A 64-bit register.
  local,           ///< A 32-bit register.
  local_wide,      ///< A 64-bit register.
  local_frame,     ///< Relative to the running function's frame.
  local_outgoing,  ///< Relative to the frame of the next call.
  parameter,       ///< A constant.
  any,             ///< Any other combination.
};

/// Whether the addresses may be in global memory.
constexpr bool may_lead_to_global(Route route) {
  return route == Route::global || route == Route::generic || route == Route::any;
}

/// Calls visit(lane) for the lanes of a mask, in ascending order.
template <class Visit>
[[gnu::always_inline]] inline void for_each_lane(std::uint32_t lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) visit(__builtin_ctz(lanes));
}

/// Writes address_of(lane) to context.address() for the active lanes. Inactive lanes get the
/// address of the lowest active lane, so that they need no special handling.
template <class Address>
[[gnu::always_inline]] inline void fill_addresses(WarpContext& context, Address address_of) {
  std::uint64_t* const out = context.address().data();
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) out[lane] = address_of(lane);
  const std::uint32_t active = context.active;
  if (active == ~std::uint32_t{0}) return;
  const std::uint64_t lowest = out[std::countr_zero(active)];
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    // `keep` is all ones for an active lane. It is computed by arithmetic that every compiler
    // vectorises.
    const std::uint64_t keep = std::uint64_t{0} - (active >> lane & 1);
    out[lane] = (out[lane] & keep) | (lowest & ~keep);
  }
}

/// Fills context.address() from a 32-bit register. The sum wraps around at 32 bits.
[[gnu::always_inline]] inline void addresses_from_narrow(WarpContext& context,
                                                         const std::uint32_t* source,
                                                         std::int64_t offset) {
  const auto low = static_cast<std::uint32_t>(offset);
  fill_addresses(context, [=](int lane) { return std::uint64_t{source[lane] + low}; });
}

/// Fills context.address() from a 64-bit register. kTruncate: whether only the low 32 bits of an
/// address count. This is so for shared and local memory, as in hardware.
template <bool kTruncate>
[[gnu::always_inline]] inline void addresses_from_wide(WarpContext& context,
                                                       const std::uint32_t* source,
                                                       std::int64_t offset) {
  const auto distance = static_cast<std::uint64_t>(offset);
  fill_addresses(context, [=](int lane) {
    const std::uint64_t address = get<std::uint64_t>(source, lane) + distance;
    return kTruncate ? address & 0xffff'ffff : address;
  });
}

/// Fills context.address() with the same address for all lanes.
[[gnu::always_inline]] inline void addresses_all(WarpContext& context, std::uint64_t address) {
  fill_addresses(context, [=](int) { return address; });
}

/// A range of one memory, in the address space of the instruction.
struct Region {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::uintptr_t host = 0;  ///< As Placement::host.
  bool local = false;       ///< As Placement::local.
  bool global = false;      ///< As Placement::global.
};

inline Region global_region(const WarpContext& context, std::uint64_t address, AccessKind kind) {
  const AllocationWindow window = window_at(context, address);
  if (kind != AccessKind::load && !window.is_writable) return {};
  return {.begin = window.begin,
          .bytes = window.bytes,
          .host = reinterpret_cast<std::uintptr_t>(window.host) - window.begin,
          .global = true};
}

inline Region shared_region(const WarpContext& context, std::uint64_t window) {
  return {window, context.memory.shared_bytes,
          reinterpret_cast<std::uintptr_t>(context.memory.shared) - window, false};
}

inline Region local_region(const WarpContext& context, std::uint64_t window) {
  return {window, context.memory.local_bytes, std::uintptr_t{0} - window, true};
}

inline Region parameter_region(const WarpContext& context, std::uint64_t window, AccessKind kind) {
  if (kind != AccessKind::load) return {};
  return {window, context.memory.parameter_bytes,
          reinterpret_cast<std::uintptr_t>(context.memory.parameters) - window, false};
}

/// The region that contains an address. Empty if there is none, or if an access of this kind is not
/// permitted there.
inline Region region_of(const WarpContext& context, code::Space space, std::uint64_t address,
                        AccessKind kind) {
  switch (space) {
    case code::Space::global:
    case code::Space::constant:
      return global_region(context, address, kind);
    case code::Space::shared:
      return shared_region(context, 0);
    case code::Space::local:
      return local_region(context, 0);
    case code::Space::parameter:
      return parameter_region(context, 0, kind);
    case code::Space::generic:
      break;
  }
  if (address >= kGlobalBase) return global_region(context, address, kind);
  if (in_window(address, kSharedWindow)) return shared_region(context, kSharedWindow);
  if (in_window(address, kLocalWindow)) return local_region(context, kLocalWindow);
  if (in_window(address, kParameterWindow)) {
    return parameter_region(context, kParameterWindow, kind);
  }
  return {};
}

/// Whether the accesses of all lanes, of `bytes` bytes each, lie in the region.
inline bool all_inside(const std::uint64_t* address, const Region& region, std::uint32_t bytes) {
  const std::uint64_t begin = region.begin;
  // If an access exceeds the region, one of the two differences is negative. (`last` is negative if
  // the region is smaller than the access.)
  const std::uint64_t last = region.bytes - bytes;
  std::uint64_t outside = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint64_t distance = address[lane] - begin;
    outside |= distance | (last - distance);
  }
  return outside >> 63 == 0;
}

inline bool is_inside(std::uint64_t address, const Region& region, std::uint64_t bytes) {
  const std::uint64_t distance = address - region.begin;
  return region.bytes >= bytes && distance <= region.bytes - bytes;
}

/// Returns the placement of the lanes' accesses, which have `bytes` bytes (a power of two) each.
/// The fast path is for accesses that are all aligned and lie in `region`. Otherwise, checks them
/// lane by lane, raises a LaneFault for an invalid access, and returns the placement of the first
/// group of lanes (place_group()).
inline Placement place(WarpContext& context, const Decoded& decoded, code::Space space,
                       const Region& region, std::uint32_t bytes, AccessKind kind) {
  const std::uint64_t* const address = context.address().data();
  const std::uint64_t first = address[0];
  const int shift = __builtin_ctz(bytes);
  std::uint64_t scattered = 0;
  std::uint64_t differing = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint64_t difference = address[lane] - first;
    differing |= difference;
    scattered |= difference ^ std::uint64_t{static_cast<unsigned>(lane)} << shift;
  }
  const bool aligned = ((first | differing) & (bytes - 1)) == 0;
  const bool inside = scattered == 0   ? is_inside(first, region, std::uint64_t{bytes} * 32)
                      : differing == 0 ? is_inside(first, region, bytes)
                                       : all_inside(address, region, bytes);
  if (!aligned || !inside) [[unlikely]] {
    check_lanes(context, {kind, space, bytes, bytes, decoded.index}, context.active);
    return place_group(context, space, context.active);
  }
  return {.lanes = context.active,
          .local = region.local,
          .global = region.global,
          .unit_stride = scattered == 0,
          .uniform = differing == 0,
          .host = region.host};
}

/// As place(), for local memory at the same address in all lanes. Sets context.address().
[[gnu::always_inline]] inline Placement place_in_frame(WarpContext& context, const Decoded& decoded,
                                                       std::uint64_t address, std::uint32_t bytes,
                                                       AccessKind kind) {
  addresses_all(context, address);
  const Region region = local_region(context, 0);
  if ((address & (bytes - 1)) != 0 || !is_inside(address, region, bytes)) [[unlikely]] {
    return place(context, decoded, code::Space::local, region, bytes, kind);
  }
  return {.lanes = context.active, .local = true, .uniform = true, .host = region.host};
}

/// locate() for Route::any.
[[gnu::noinline]] inline Placement locate_any(WarpContext& context, const Decoded& decoded,
                                              std::uint32_t bytes, AccessKind kind) {
  find_addresses(context, decoded);
  const code::Space space = context.code[decoded.index].space;
  return place(context, decoded, space, region_of(context, space, context.address()[0], kind),
               bytes, kind);
}

/// Fills context.address(), checks the accesses of the active lanes, and returns the placement of
/// their first group, as place() does.
template <Route route>
[[gnu::noinline]] Placement locate(WarpContext& context, const Decoded& decoded,
                                   std::uint32_t bytes, AccessKind kind) {
  using code::Space;
  if constexpr (route == Route::global || route == Route::generic) {
    addresses_from_wide<false>(context, context.lanes(decoded.source[0]), decoded.offset);
    constexpr Space space = route == Route::global ? Space::global : Space::generic;
    return place(context, decoded, space, region_of(context, space, context.address()[0], kind),
                 bytes, kind);
  } else if constexpr (route == Route::shared || route == Route::shared_wide) {
    const std::uint32_t* source = context.lanes(decoded.source[0]);
    if constexpr (route == Route::shared) {
      addresses_from_narrow(context, source, decoded.offset);
    } else {
      addresses_from_wide<true>(context, source, decoded.offset);
    }
    return place(context, decoded, Space::shared, shared_region(context, 0), bytes, kind);
  } else if constexpr (route == Route::local || route == Route::local_wide) {
    const std::uint32_t* source = context.lanes(decoded.source[0]);
    if constexpr (route == Route::local) {
      addresses_from_narrow(context, source, decoded.offset);
    } else {
      addresses_from_wide<true>(context, source, decoded.offset);
    }
    return place(context, decoded, Space::local, local_region(context, 0), bytes, kind);
  } else if constexpr (route == Route::local_frame) {
    const std::uint64_t address =
        static_cast<std::uint32_t>(context.frame_base + static_cast<std::uint32_t>(decoded.offset));
    return place_in_frame(context, decoded, address, bytes, kind);
  } else if constexpr (route == Route::local_outgoing) {
    const std::uint64_t address =
        static_cast<std::uint32_t>(context.frame_top + static_cast<std::uint32_t>(decoded.offset));
    // The argument of a call is beyond the end of the stack.
    if (address + bytes > context.memory.local_bytes) raise_stack_overflow(context);
    return place_in_frame(context, decoded, address, bytes, kind);
  } else if constexpr (route == Route::parameter) {
    addresses_all(context, static_cast<std::uint64_t>(std::int64_t{decoded.offset}));
    return place(context, decoded, Space::parameter, parameter_region(context, 0, kind), bytes,
                 kind);
  } else {
    return locate_any(context, decoded, bytes, kind);
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
