#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

struct WarpContext;

/// The handler of an `atomic` instruction, or null for a form that does not exist. The handler
/// performs the lanes one after another, in ascending order.
Handler select_atomic(const code::Instruction& instruction);

/// The data of a warp's single-element atomic on global memory, independent of the warp.
struct AtomicElements {
  std::byte* memory = nullptr;  ///< The host's address of kGlobalBase.
  std::array<std::uint64_t, 32> address;
  std::array<std::uint64_t, 32> operand;
  std::array<std::uint64_t, 32> second;  ///< Only for compare-and-swap: the new value.
  std::array<std::uint64_t, 32> old;     ///< The result: the previous value in memory.
};
/// Performs the elements of some lanes, in ascending order.
using AtomicAction = void (*)(AtomicElements& elements, std::uint32_t lanes);

/// The action of an `atomic` instruction. Null if select_atomic() returns null, and for
/// instructions with several elements.
AtomicAction select_atomic_action(const code::Instruction& instruction);

/// The location on which each active lane's atomic operates.
struct AtomicPlaces {
  std::array<std::byte*, 32> host;  ///< By lane: the address in the host's memory.
  // Masks of the lanes whose address is in global memory and in shared memory.
  std::uint32_t global = 0;
  std::uint32_t shared = 0;
};
/// Finds and checks the `bytes` bytes that each active lane accesses, and sets context.address().
/// Raises a LaneFault.
AtomicPlaces find_atomic_places(WarpContext& context, const Decoded& decoded, std::uint32_t bytes);

}  // namespace heddle::exec
