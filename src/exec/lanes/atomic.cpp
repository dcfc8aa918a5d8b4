// Atomics of 32 and 64 bits on memory that all lanes access in the same way: one allocation, or
// shared memory. Others are performed lane by lane, in exec/memory/atomics.h.

#include <cstddef>
#include <cstdint>

#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/memory_address.h"
#include "exec/lanes/memory_elements.h"
#include "exec/memory/atomic_computations.h"
#include "exec/memory/atomics.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

/// The locations of a warp's atomic.
struct AtomicPlacement {
  bool is_valid = false;     ///< Whether all lanes access `host`, and may.
  bool is_global = false;    ///< Whether it is global memory; else it is shared memory.
  bool unit_stride = false;  ///< As in Placement.
  bool uniform = false;      ///< As in Placement.
  std::uintptr_t host = 0;   ///< As in Placement.
};

/// Fills context.address().
void find_atomic_addresses(WarpContext& context, const Decoded& decoded,
                           const code::Instruction& instruction) {
  const bool shared = instruction.space == code::Space::shared;
  const std::uint32_t* const source =
      decoded.source[0].present() ? context.lanes(decoded.source[0]) : nullptr;
  const bool narrow = has_narrow_address(instruction);
  if (source == nullptr || (narrow && !shared)) return find_addresses(context, decoded);
  if (narrow) return addresses_from_narrow(context, source, instruction.offset);
  if (shared) return addresses_from_wide<true>(context, source, instruction.offset);
  addresses_from_wide<false>(context, source, instruction.offset);
}

[[gnu::noinline]] AtomicPlacement find_placement(WarpContext& context, const Decoded& decoded,
                                                 std::uint32_t bytes) {
  const code::Instruction& instruction = context.code[decoded.index];
  find_atomic_addresses(context, decoded, instruction);
  const std::uint64_t* const address = context.address().data();
  const std::uint64_t first = address[0];
  const Region region = region_of(context, instruction.space, first, AccessKind::atomic);
  const std::uint64_t last = region.bytes - bytes;
  const int shift = __builtin_ctz(bytes);
  std::uint64_t outside = 0;
  std::uint64_t differing = 0;
  std::uint64_t scattered = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint64_t distance = address[lane] - region.begin;
    outside |= distance | (last - distance);
    const std::uint64_t difference = address[lane] - first;
    differing |= difference;
    scattered |= difference ^ std::uint64_t{static_cast<unsigned>(lane)} << shift;
  }
  const bool aligned = ((first | differing) & (bytes - 1)) == 0;
  return {.is_valid = aligned && outside >> 63 == 0 && !region.local,
          .is_global = region.global,
          .unit_stride = scattered == 0,
          .uniform = differing == 0,
          .host = region.host};
}

/// The operands of a warp's atomic, and where the old values go; `old` may be null.
struct AtomicOperands {
  const std::uint32_t* operand;
  const std::uint32_t* second;  ///< For compare-and-swap only; else any register.
  std::uint32_t* old;
};

/// Performs atomics on contiguous elements in ascending order.
template <class T, class Computation>
[[gnu::always_inline]] inline void perform_contiguous(std::uintptr_t host,
                                                      const AtomicOperands& operands,
                                                      AccessTraits traits) {
  alignas(64) T old[32];
  std::memcpy(old, reinterpret_cast<const std::byte*>(host), sizeof old);
  alignas(64) T result[32];
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    result[lane] = Computation{}(old[lane], get<T>(operands.operand, lane),
                                 get<T>(operands.second, lane), traits);
  }
  std::memcpy(reinterpret_cast<std::byte*>(host), result, sizeof result);
  if (operands.old == nullptr) return;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) put(operands.old, lane, old[lane]);
}

/// Performs the atomics of all active lanes on one element, one after another.
template <class T, class Computation>
[[gnu::always_inline]] inline void perform_uniform(std::uint32_t active, std::uintptr_t host,
                                                   const AtomicOperands& operands,
                                                   AccessTraits traits) {
  T value = read_host<T>(host);
  for_each_lane(
      active, [&](int lane) __attribute__((always_inline)) {
        const T old = value;
        value = Computation{}(old, get<T>(operands.operand, lane), get<T>(operands.second, lane),
                              traits);
        if (operands.old != nullptr) put(operands.old, lane, old);
      });
  write_host(host, value);
}

template <class T, class Computation>
[[gnu::always_inline]] inline void perform_scattered(std::uint32_t active,
                                                     const std::uint64_t* address,
                                                     std::uintptr_t host,
                                                     const AtomicOperands& operands,
                                                     AccessTraits traits) {
  const auto perform = [&](int lane) __attribute__((always_inline)) {
    const std::uintptr_t at = host + address[lane];
    const T old = read_host<T>(at);
    write_host(at, static_cast<T>(Computation{}(old, get<T>(operands.operand, lane),
                                                get<T>(operands.second, lane), traits)));
    if (operands.old != nullptr) put(operands.old, lane, old);
  };
  if (active == kAllLanes) {
    for_all_lanes(perform);
  } else {
    for_each_lane(active, perform);
  }
}

template <class T, class Computation>
void atomic(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  const AtomicPlacement placement = find_placement(context, decoded, sizeof(T));
  if (!placement.is_valid) [[unlikely]] {
    return select_atomic(context.code[decoded.index])(context, decoded);
  }
  const OperandRef second = decoded.source[decoded.source_count > 2 ? 2 : 1];
  const AtomicOperands operands{
      context.lanes(decoded.source[1]), context.lanes(second),
      decoded.destination[0].present() ? context.lanes(decoded.destination[0]) : nullptr};
  const AccessTraits traits{placement.is_global};
  const std::uint64_t* const address = context.address().data();
  if (placement.unit_stride) {
    perform_contiguous<T, Computation>(placement.host + address[0], operands, traits);
  } else if (placement.uniform) {
    perform_uniform<T, Computation>(context.active, placement.host + address[0], operands, traits);
  } else {
    perform_scattered<T, Computation>(context.active, address, placement.host, operands, traits);
  }
}

}  // namespace

Handler select_atomic_for_warp(const code::Instruction& instruction) {
  const Handler lane_by_lane = select_atomic(instruction);
  if (lane_by_lane == nullptr || instruction.vector_count != 1) return lane_by_lane;
  const Handler handler = with_word_atomic<Handler>(
      instruction.type, instruction.reduction,
      []<class T, class Computation>(Computation) -> Handler { return atomic<T, Computation>; });
  return handler != nullptr ? handler : lane_by_lane;
}

}  // namespace heddle::exec::HEDDLE_LANES
