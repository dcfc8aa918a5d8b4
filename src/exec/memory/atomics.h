#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

struct WarpContext;

/// Returns the handler of an `atomic` instruction; null if PTX has no such instruction. The handler
/// performs the atomics of the lanes one after another, in ascending order.
Handler select_atomic(const code::Instruction& instruction);

/// The data that are needed to perform a warp's atomic on global memory without access to the warp.
/// Each lane has one element.
struct AtomicElements {
  std::byte* memory = nullptr;  ///< The host's address of kGlobalBase.
  std::array<std::uint64_t, 32> address;
  std::array<std::uint64_t, 32> operand;
  std::array<std::uint64_t, 32> second;  ///< The new value; only for compare-and-swap.
  std::array<std::uint64_t, 32> old;     ///< The result: the previous value in memory.
};
/// Performs the atomics of some lanes, in ascending order. `lanes` has a bit for each lane.
using AtomicAction = void (*)(AtomicElements& elements, std::uint32_t lanes);

/// Returns the action of an `atomic` instruction; null if select_atomic() returns null, or if a
/// lane has several elements.
AtomicAction select_atomic_action(const code::Instruction& instruction);

/// The locations on which the atomics of the active lanes operate.
struct AtomicPlaces {
  std::array<std::byte*, 32> host;  ///< The address in the host's memory, by lane.
  // A bit for each lane whose location is in global memory or in shared memory, respectively.
  std::uint32_t global_lanes = 0;
  std::uint32_t shared_lanes = 0;
};
/// Finds and checks the locations, of `bytes` bytes each, that the active lanes access. Sets
/// context.address(). Raises a LaneFault if an access is not permitted.
AtomicPlaces find_atomic_places(WarpContext& context, const Decoded& decoded, std::uint32_t bytes);

}  // namespace heddle::exec
