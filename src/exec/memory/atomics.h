#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

struct LaneContext;

/// The handler of an `atomic` instruction, or null for a form that does not exist. The lanes act
/// one after another, in ascending order.
Handler select_atomic(const code::Instruction& instruction);

/// What a warp's atomic of one element does to global memory, apart from the warp.
struct AtomicElements {
  std::byte* memory = nullptr;  ///< Where kGlobalBase is in the host's memory.
  std::array<std::uint64_t, 32> address;
  std::array<std::uint64_t, 32> operand;
  std::array<std::uint64_t, 32> second;  ///< Of compare and swap: the new value.
  std::array<std::uint64_t, 32> old;     ///< What was there before: the result.
};
/// Performs some lanes' elements, ascending.
using AtomicAction = void (*)(AtomicElements& elements, std::uint32_t lanes);

/// The same meaning as select_atomic()'s; null where that is, and for several elements.
AtomicAction select_atomic_action(const code::Instruction& instruction);

/// Where each active lane's atomic acts.
struct AtomicPlaces {
  std::array<std::byte*, 32> host;
  // The lanes whose address is in global, in shared memory.
  std::uint32_t global = 0;
  std::uint32_t shared = 0;
};
/// Finds and checks `bytes` bytes for each active lane, and fills context.address. Raises a
/// LaneFault.
AtomicPlaces find_atomic_places(LaneContext& context, const Decoded& decoded, std::uint32_t bytes);

}  // namespace heddle::exec
