// Loads, stores, and operations on addresses. The addresses of all lanes are computed and checked
// before the first byte is moved. An instruction that faults has therefore changed nothing. If
// several lanes store to the same address, the value of the highest lane remains.

#include <cstdint>
#include <type_traits>

#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/memory_address.h"
#include "exec/lanes/memory_elements.h"
#include "exec/lanes/memory_epoch.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Operation;
using code::Space;

/// Calls move(placement) for each group of lanes that access the same memory. Nearly always, all
/// lanes are in one group. `placement` is that of the first group.
template <class Move>
[[gnu::always_inline]] inline void move_groups(WarpContext& context, const Decoded& decoded,
                                               Placement placement, Move move) {
  move(placement);
  std::uint32_t remaining = context.active & ~placement.lanes;
  while (remaining != 0) [[unlikely]] {
      placement = place_group(context, context.code[decoded.index].space, remaining);
      move(placement);
      remaining &= ~placement.lanes;
    }
}

ElementRegisters destination_registers_of(const WarpContext& context, const Decoded& decoded) {
  const code::Instruction& instruction = context.code[decoded.index];
  ElementRegisters elements;
  elements.count = instruction.vector_count;
  for (std::uint32_t k = 0; k < elements.count; ++k) {
    elements.registers[k] = nullptr;
    if (k >= instruction.destinations.size()) continue;
    const code::Operand& operand = instruction.destinations[k];
    if (!operand.is_register()) continue;
    elements.registers[k] = context.lanes(OperandRef(OperandRef::Base::registers, operand.index));
  }
  return elements;
}

/// The handler of a load of elements of type T to kWidth registers each. kVector: whether there may
/// be several elements.
template <Route route, class T, int kWidth, bool kVector>
void load(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  ElementRegisters elements;
  if constexpr (kVector) {
    elements = destination_registers_of(context, decoded);
  } else {
    const OperandRef ref = decoded.destination[0];
    elements.registers[0] = ref.present() ? context.lanes(ref) : nullptr;
    elements.count = 1;
  }
  const auto bytes = static_cast<std::uint32_t>(elements.count * sizeof(T));
  move_groups(context, decoded, locate<route>(context, decoded, bytes, AccessKind::load),
              [&](const Placement& placement) {
                if constexpr (may_lead_to_global(route)) {
                  if (context.memory.stores != nullptr && placement.global) {
                    return load_in_epoch<T, kWidth>(context, placement, elements);
                  }
                }
                load_elements<T, kWidth>(context, placement, elements);
              });
}

/// The handler of a store of elements of type T. kVector: as for load().
template <Route route, class T, bool kVector>
void store(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  ElementRegisters elements;
  elements.count = kVector ? context.code[decoded.index].vector_count : 1;
  const OperandRef* const sources = sources_of(context, decoded) + 1;
  for (std::uint32_t k = 0; k < elements.count; ++k)
    elements.registers[k] = context.lanes(sources[k]);
  const auto bytes = static_cast<std::uint32_t>(elements.count * sizeof(T));
  move_groups(context, decoded, locate<route>(context, decoded, bytes, AccessKind::store),
              [&](const Placement& placement) {
                if constexpr (may_lead_to_global(route)) {
                  if (context.memory.stores != nullptr && placement.global) {
                    return store_in_epoch<T>(context, placement, elements);
                  }
                }
                store_elements<T>(context, placement, elements);
              });
}

// -- choosing the handler -------------------------------------------------------------------------

Route route_of(const code::Instruction& instruction) {
  const bool absolute = !instruction.sources[0].present();
  const bool narrow = has_narrow_address(instruction);
  if (instruction.vector_count > 4 ||
      instruction.offset != static_cast<std::int32_t>(instruction.offset)) {
    return Route::any;
  }
  switch (instruction.space) {
    case Space::global:
    case Space::constant:
      return absolute || narrow ? Route::any : Route::global;
    case Space::generic:
      return absolute || narrow ? Route::any : Route::generic;
    case Space::shared:
      if (absolute) return Route::any;
      return narrow ? Route::shared : Route::shared_wide;
    case Space::local:
      if (absolute) return instruction.outgoing ? Route::local_outgoing : Route::local_frame;
      return narrow ? Route::local : Route::local_wide;
    case Space::parameter:
      return absolute ? Route::parameter : Route::any;
  }
  return Route::any;
}

/// Calls choose(constant) with `route` as a compile-time constant, and returns the result.
template <class Choose>
Handler for_route(Route route, Choose choose) {
  switch (route) {
#define HEDDLE_ROUTE(name) \
  case Route::name:        \
    return choose(std::integral_constant<Route, Route::name>{})
    HEDDLE_ROUTE(global);
    HEDDLE_ROUTE(generic);
    HEDDLE_ROUTE(shared);
    HEDDLE_ROUTE(shared_wide);
    HEDDLE_ROUTE(local);
    HEDDLE_ROUTE(local_wide);
    HEDDLE_ROUTE(local_frame);
    HEDDLE_ROUTE(local_outgoing);
    HEDDLE_ROUTE(parameter);
    HEDDLE_ROUTE(any);
#undef HEDDLE_ROUTE
  }
  return nullptr;
}

template <class T, int kWidth>
Handler load_handler(const code::Instruction& instruction) {
  const Route route = route_of(instruction);
  const bool vector = instruction.vector_count > 1 || route == Route::any;
  return for_route(route, [&](auto constant) -> Handler {
    if constexpr (constant == Route::any) return load<constant, T, kWidth, true>;
    return vector ? load<constant, T, kWidth, true> : load<constant, T, kWidth, false>;
  });
}

template <class T>
Handler store_handler(const code::Instruction& instruction) {
  const Route route = route_of(instruction);
  const bool vector = instruction.vector_count > 1 || route == Route::any;
  return for_route(route, [&](auto constant) -> Handler {
    if constexpr (constant == Route::any) return store<constant, T, true>;
    return vector ? store<constant, T, true> : store<constant, T, false>;
  });
}

bool has_elements(const code::Instruction& instruction) {
  const unsigned count = instruction.vector_count;
  return count == 1 || count == 2 || count == 4 || count == 8;
}

Handler select_load(const code::Instruction& instruction) {
  if (!has_elements(instruction) || instruction.sources.empty()) return nullptr;
  int width = 1;
  for (const code::Operand& operand : instruction.destinations) {
    if (operand.present()) width = operand.width;
  }
  const bool is_signed = is_signed_integer(instruction.type);
  const int bytes = size_of(instruction.type);
  if (width == 1) {
    switch (bytes) {
      case 1:
        return is_signed ? load_handler<std::int8_t, 1>(instruction)
                         : load_handler<std::uint8_t, 1>(instruction);
      case 2:
        return is_signed ? load_handler<std::int16_t, 1>(instruction)
                         : load_handler<std::uint16_t, 1>(instruction);
      case 4:
        return load_handler<std::uint32_t, 1>(instruction);
      // A load without a destination is executed too, because it accesses memory.
      case 8:
        return instruction.destinations.empty() || !instruction.destinations[0].present()
                   ? load_handler<std::uint64_t, 2>(instruction)
                   : nullptr;
      default:
        return nullptr;
    }
  }
  if (width != 2) return nullptr;
  switch (bytes) {
    case 1:
      return is_signed ? load_handler<std::int8_t, 2>(instruction)
                       : load_handler<std::uint8_t, 2>(instruction);
    case 2:
      return is_signed ? load_handler<std::int16_t, 2>(instruction)
                       : load_handler<std::uint16_t, 2>(instruction);
    case 4:
      return is_signed ? load_handler<std::int32_t, 2>(instruction)
                       : load_handler<std::uint32_t, 2>(instruction);
    case 8:
      return load_handler<std::uint64_t, 2>(instruction);
    default:
      return nullptr;
  }
}

Handler select_store(const code::Instruction& instruction) {
  if (!has_elements(instruction) || instruction.sources.empty() ||
      !has_sources(instruction, 1, instruction.vector_count,
                   size_of(instruction.type) == 8 ? 2 : 1)) {
    return nullptr;
  }
  switch (size_of(instruction.type)) {
    case 1:
      return store_handler<std::uint8_t>(instruction);
    case 2:
      return store_handler<std::uint16_t>(instruction);
    case 4:
      return store_handler<std::uint32_t>(instruction);
    case 8:
      return store_handler<std::uint64_t>(instruction);
    default:
      return nullptr;
  }
}

// -- spilled registers ----------------------------------------------------------------------------

/// The place in local memory, for all lanes, to which the instruction spills a register: the word
/// of the stack frame at the instruction's offset. Sets context.address().
[[gnu::always_inline]] inline std::uint32_t* slot_of(WarpContext& context, const Decoded& decoded,
                                                     std::uint32_t bytes) {
  const std::uint64_t offset =
      std::uint64_t{context.frame_base} + static_cast<std::uint32_t>(decoded.offset);
  if (offset + bytes > context.memory.local_bytes) [[unlikely]] {
    raise_stack_overflow(context);
  }
  addresses_all(context, offset);
  return context.memory.local + offset / 4 * 32;
}

template <int kRegisters>
[[gnu::always_inline]] inline void copy_registers(std::uint32_t active, std::uint32_t* to,
                                                  const std::uint32_t* from) {
  if (active == kAllLanes) {
    HEDDLE_LANE_LOOP
    for (int word = 0; word < kRegisters * 32; ++word) to[word] = from[word];
    return;
  }
  for (int r = 0; r < kRegisters; ++r) {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      blend(active, to + r * 32, lane, from[r * 32 + lane]);
    }
  }
}

template <int kRegisters>
void load_slot(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  const std::uint32_t* const slot = slot_of(context, decoded, kRegisters * 4);
  copy_registers<kRegisters>(context.active, context.lanes(decoded.destination[0]), slot);
}

template <int kRegisters>
void store_slot(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  std::uint32_t* const slot = slot_of(context, decoded, kRegisters * 4);
  copy_registers<kRegisters>(context.active, slot, context.lanes(decoded.source[0]));
}

// -- addresses as values --------------------------------------------------------------------------

/// The start of a space's window in the generic address space; 0 for global memory.
std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::shared:
      return kSharedWindow;
    case Space::local:
      return kLocalWindow;
    case Space::parameter:
      return kParameterWindow;
    default:
      return 0;
  }
}

template <class Out, class In>
void convert_address(WarpContext& context, const Decoded& decoded) {
  const code::Instruction& instruction = context.code[decoded.index];
  const std::uint64_t window = window_of(instruction.space);
  if (window == 0) {
    for_lanes<Out, In>(context, decoded, [](In a) { return static_cast<Out>(a); });
  } else if (instruction.to_space) {
    for_lanes<Out, In>(context, decoded, [=](In a) { return static_cast<Out>(a - window); });
  } else {
    for_lanes<Out, In>(context, decoded, [=](In a) {
      return static_cast<Out>(window + static_cast<std::uint32_t>(a));
    });
  }
}

Handler select_convert_address(const code::Instruction& instruction) {
  if (instruction.destinations.empty() || instruction.sources.empty()) return nullptr;
  const bool wide_out = instruction.destinations[0].width == 2;
  if (has_narrow_address(instruction)) {
    return wide_out ? convert_address<std::uint64_t, std::uint32_t>
                    : convert_address<std::uint32_t, std::uint32_t>;
  }
  return wide_out ? convert_address<std::uint64_t, std::uint64_t>
                  : convert_address<std::uint32_t, std::uint64_t>;
}

template <class In>
void is_space(WarpContext& context, const Decoded& decoded) {
  std::uint32_t lanes = 0;
  const std::uint32_t* const addresses = context.lanes(decoded.source[0]);
  for_each_lane(context.active, [&](int lane) {
    if (lies_in_space(context, context.code[decoded.index].space, get<In>(addresses, lane))) {
      lanes |= std::uint32_t{1} << lane;
    }
  });
  context.set_predicate(decoded.predicate_destination[0], lanes);
}

void no_effect(WarpContext&, const Decoded&) {}

}  // namespace

Handler select_memory(const code::Instruction& instruction) {
  const bool wide = size_of(instruction.type) == 8;
  switch (instruction.operation) {
    case Operation::load:
      return select_load(instruction);
    case Operation::store:
      return select_store(instruction);
    case Operation::load_local_slot:
      return wide ? load_slot<2> : load_slot<1>;
    case Operation::store_local_slot:
      return wide ? store_slot<2> : store_slot<1>;
    case Operation::atomic:
      return select_atomic_for_warp(instruction);
    case Operation::copy_async:
      return select_copy_async_for_warp(instruction);
    case Operation::convert_address:
      return select_convert_address(instruction);
    case Operation::is_space:
      return has_narrow_address(instruction) ? is_space<std::uint32_t> : is_space<std::uint64_t>;
    // These have no effect, because a warp's accesses are executed in program order.
    case Operation::prefetch:
    case Operation::copy_async_wait:
    case Operation::fence:
      return no_effect;
    default:
      return nullptr;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
