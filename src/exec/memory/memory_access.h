#pragma once

// Where a lane's address leads. The handlers of loads and stores look at all lanes at once
// (exec/lanes/memory.cpp); what is here works lane by lane: it is for whatever is rarer, and it
// says what is wrong with an address.

#include <cstddef>
#include <cstdint>

#include "code/operation.h"
#include "exec/block/lane_context.h"
#include "exec/memory/stray_accesses.h"

namespace heddle::exec {

/// What one lane asks of memory.
struct Access {
  AccessKind kind = AccessKind::load;
  code::Space space = code::Space::generic;
  std::uint32_t bytes = 4;
  std::uint32_t alignment = 4;    ///< A power of two.
  std::uint32_t instruction = 0;  ///< The instruction that asks, as Decoded::index.
};

/// The memory that an address leads to.
struct Target {
  /// global, shared, local or parameter.
  code::Space space = code::Space::global;
  std::uint64_t offset = 0;   ///< In that space.
  std::byte* host = nullptr;  ///< Null in local memory, whose bytes do not lie side by side.
};

/// Lanes whose addresses lead to the same memory.
struct Placement {
  std::uint32_t lanes = 0;
  bool local = false;   ///< In local memory: word w of lane l is MemoryView::local[w * 32 + l].
  bool global = false;  ///< In global memory, constant variables included.
  bool unit_stride = false;  ///< All 32 lanes, side by side in ascending order.
  bool uniform = false;      ///< All lanes have the same address.
  /// The host's address of the byte at address a is host + a; in local memory: the offset is a +
  /// host. Wraps around.
  std::uintptr_t host = 0;
};

/// True where a memory instruction's address is one row. An immediate has its high row whatever its
/// width.
bool has_narrow_address(const code::Instruction& instruction);

/// True where `count` sources, from `first` on, are there, are no predicates, and have `width` rows
/// each.
bool has_rows(const code::Instruction& instruction, std::size_t first, std::size_t count,
              int width);

/// Where the rows of an instruction's sources stand. Always inlined: code of exec/lanes calls it
/// (see lanes.h).
[[gnu::always_inline]] inline const RowRef* sources_of(const LaneContext& context,
                                                       const Decoded& decoded) {
  constexpr std::size_t kInPlace = sizeof(decoded.source) / sizeof(RowRef);
  return decoded.source_count > kInPlace ? context.more_sources + decoded.offset : decoded.source;
}

/// Writes the addresses of the active lanes to context.address(), whatever form they have, and some
/// active lane's to the other lanes. Shared, local and parameter addresses are of 32 bits: what a
/// register has above them is ignored, as the hardware does.
void find_addresses(LaneContext& context, const Decoded& decoded);

/// The live allocation around a device address, from the warp's cache where it is there. It has no
/// bytes where there is none.
AllocationWindow window_at(const LaneContext& context, std::uint64_t address);

/// Raises a LaneFault, with the nearest allocation, for what the lane must not do.
Target resolve(const LaneContext& context, const Access& access, int lane, std::uint64_t address);

/// The same for the lanes' addresses in context.address(). Nothing has been accessed when it
/// raises.
void check_lanes(const LaneContext& context, const Access& access, std::uint32_t lanes);

/// Of `lanes`, which have been checked: those that lead to the same memory as the lowest.
Placement place_group(const LaneContext& context, code::Space space, std::uint32_t lanes);

/// The active lanes' stack ends before what they want to put on it.
[[noreturn]] void raise_stack_overflow(const LaneContext& context);

/// What isspacep says of a generic address.
bool lies_in_space(const LaneContext& context, code::Space space, std::uint64_t address);

}  // namespace heddle::exec
