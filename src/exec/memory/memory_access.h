#pragma once

// These functions find the location in the host's memory to which the address of a lane refers. The
// handlers of loads and stores process all lanes at once (exec/lanes/load_store.cpp). The functions
// here work lane by lane. They are used by rarer instructions, and to report faults.

#include <cstddef>
#include <cstdint>

#include "code/operation.h"
#include "exec/block/warp_context.h"
#include "exec/memory/stray_accesses.h"

namespace heddle::exec {

/// One lane's access to memory.
struct Access {
  AccessKind kind = AccessKind::load;
  code::Space space = code::Space::generic;
  std::uint32_t bytes = 4;
  std::uint32_t alignment = 4;    ///< A power of two.
  std::uint32_t instruction = 0;  ///< The accessing instruction's Decoded::index.
};

/// The location in memory that an address refers to.
struct Target {
  /// One of global, shared, local and parameter.
  code::Space space = code::Space::global;
  std::uint64_t offset = 0;   ///< The offset in that space.
  std::byte* host = nullptr;  ///< Null for local memory, whose words are interleaved.
};

/// A group of lanes whose addresses refer to the same memory: to one allocation, or to shared,
/// local or parameter memory.
struct Placement {
  std::uint32_t lanes = 0;  ///< A bit for each lane.
  bool local = false;       ///< Whether it is local memory, whose words are interleaved.
  bool global = false;      ///< Whether it is global memory, which includes constant variables.
  /// Whether all 32 lanes are active, and their elements contiguous in ascending order.
  bool unit_stride = false;
  bool uniform = false;  ///< Whether all lanes have the same address.
  /// The host's address of the byte at device address a is host + a. For local memory, host + a is
  /// an offset in local memory instead. The sum may wrap around.
  std::uintptr_t host = 0;
};

/// Whether the address operand of a memory instruction has 32 bits. An immediate operand counts as
/// 64 bits: the decoder gives every immediate a high word.
bool has_narrow_address(const code::Instruction& instruction);

/// Whether the `count` sources from index `first` on exist, are not predicates, and are each at
/// least `width` registers wide. An immediate is wide enough.
bool has_sources(const code::Instruction& instruction, std::size_t first, std::size_t count,
                 int width);

/// The sources of an instruction, except predicates. The function is always inlined, because code
/// of exec/lanes calls it (see exec/lanes/lanes.h).
[[gnu::always_inline]] inline const OperandRef* sources_of(const WarpContext& context,
                                                           const Decoded& decoded) {
  constexpr std::size_t kMaxInDecoded = sizeof(decoded.source) / sizeof(OperandRef);
  return decoded.source_count > kMaxInDecoded ? context.more_sources + decoded.offset
                                              : decoded.source;
}

/// Computes the addresses of the active lanes, and writes them to context.address(). Inactive lanes
/// get the address of the lowest active lane. Shared, local and parameter addresses have 32 bits;
/// higher bits of a register are ignored, as in hardware.
void find_addresses(WarpContext& context, const Decoded& decoded);

/// Finds the live allocation that contains a device address. Searches the allocation cache first,
/// and updates it. Returns an empty window if there is no such allocation.
AllocationWindow window_at(const WarpContext& context, std::uint64_t address);

/// Finds the location of one lane's access. If the access is not permitted, raises a LaneFault that
/// names the nearest allocation.
Target resolve(const WarpContext& context, const Access& access, int lane, std::uint64_t address);

/// Checks the accesses of the lanes in the mask `lanes`, as resolve() does, to the addresses in
/// context.address(). Does not access memory.
void check_lanes(const WarpContext& context, const Access& access, std::uint32_t lanes);

/// From the lanes in the mask `lanes`, selects those whose addresses refer to the same space as the
/// address of the lowest lane. check_lanes() must have checked all of the lanes.
Placement place_group(const WarpContext& context, code::Space space, std::uint32_t lanes);

/// Raises the fault for active lanes whose stack is too small.
[[noreturn]] void raise_stack_overflow(const WarpContext& context);

/// Whether a generic address lies in a space; this is the result of isspacep.
bool lies_in_space(const WarpContext& context, code::Space space, std::uint64_t address);

}  // namespace heddle::exec
