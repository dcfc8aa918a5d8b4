#pragma once

// Resolves the address of one lane to a location in host memory. The handlers of loads and stores
// process all lanes at once (exec/lanes/load_store.cpp). The functions here work lane by lane: they
// serve rarer instructions, and they report faults.

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
  /// global, shared, local or parameter.
  code::Space space = code::Space::global;
  std::uint64_t offset = 0;   ///< The offset in that space.
  std::byte* host = nullptr;  ///< Null for local memory, whose words are interleaved.
};

/// Lanes whose addresses refer to the same memory: to one allocation, or to one of the other
/// spaces.
struct Placement {
  std::uint32_t lanes = 0;
  bool local = false;   ///< In local memory: word w of lane l is MemoryView::local[w * 32 + l].
  bool global = false;  ///< In global memory, which includes constant variables.
  bool unit_stride = false;  ///< All 32 lanes are active and contiguous, in ascending order.
  bool uniform = false;      ///< All lanes have the same address.
  /// The host's address of the byte at address a is host + a. For local memory, host + a is the
  /// offset in local memory. The sum wraps around.
  std::uintptr_t host = 0;
};

/// Whether a memory instruction's address is one 32-bit register. An immediate always has a high
/// word, whatever its width.
bool has_narrow_address(const code::Instruction& instruction);

/// Whether the `count` sources from index `first` on exist, are no predicates, and have `width`
/// registers each.
bool has_sources(const code::Instruction& instruction, std::size_t first, std::size_t count,
                 int width);

/// The operands of an instruction's sources. Always inlined, since code of exec/lanes calls it (see
/// lanes.h).
[[gnu::always_inline]] inline const OperandRef* sources_of(const WarpContext& context,
                                                           const Decoded& decoded) {
  constexpr std::size_t kInPlace = sizeof(decoded.source) / sizeof(OperandRef);
  return decoded.source_count > kInPlace ? context.more_sources + decoded.offset : decoded.source;
}

/// Writes the addresses of the active lanes to context.address(), for any form of address. Inactive
/// lanes get the address of some active lane. Shared, local and parameter addresses have 32 bits:
/// higher bits of a register are ignored, as in hardware.
void find_addresses(WarpContext& context, const Decoded& decoded);

/// The live allocation that contains a device address, looked up in the allocation cache first. It
/// is empty if there is none.
AllocationWindow window_at(const WarpContext& context, std::uint64_t address);

/// Resolves and checks one lane's access. Raises a LaneFault that names the nearest allocation if
/// the access is not permitted.
Target resolve(const WarpContext& context, const Access& access, int lane, std::uint64_t address);

/// Checks the addresses of `lanes` in context.address() as resolve() does. Memory is not accessed.
void check_lanes(const WarpContext& context, const Access& access, std::uint32_t lanes);

/// Selects those of `lanes` whose addresses refer to the same memory as that of the lowest of these
/// lanes. All of them must have been checked (check_lanes()).
Placement place_group(const WarpContext& context, code::Space space, std::uint32_t lanes);

/// Raises the fault of active lanes whose stack is too small.
[[noreturn]] void raise_stack_overflow(const WarpContext& context);

/// The result of isspacep for a generic address.
bool lies_in_space(const WarpContext& context, code::Space space, std::uint64_t address);

}  // namespace heddle::exec
