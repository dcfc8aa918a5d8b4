#pragma once

// WarpContext is the part of a warp that the handlers of instructions access.

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/host_lines.h"
#include "code/instruction.h"
#include "exec/decoded.h"

namespace heddle::exec {

class EpochStores;
class GlobalMemory;
class TextureUnit;
struct AccessReport;

/// The memories that one warp can access.
struct MemoryView {
  GlobalMemory* global = nullptr;
  TextureUnit* textures = nullptr;
  std::byte* shared = nullptr;
  std::uint32_t shared_bytes = 0;
  /// The warp's local memory, word-interleaved: word w of lane l is local[w * 32 + l].
  std::uint32_t* local = nullptr;
  std::uint32_t local_bytes = 0;          ///< The size for one thread; a multiple of 4.
  const std::byte* parameters = nullptr;  ///< The launch's parameter area.
  std::uint32_t parameter_bytes = 0;
  /// With a timing model: the buffer that takes stores to global memory. Loads search it before
  /// they read memory. Null: memory is accessed directly.
  EpochStores* stores = nullptr;
};

/// A range of device memory within one live allocation; empty if `bytes` is 0.
struct AllocationWindow {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;  ///< The host's address of `begin`.
  bool is_writable = false;
};

/// The device allocations that were used most recently (exec/memory/memory_access.h manages them).
struct AllocationCache {
  std::array<AllocationWindow, 4> windows{};
  const GlobalMemory* memory = nullptr;
  std::uint64_t generation = 0;  ///< GlobalMemory::generation() when the windows were found.
  std::uint32_t next = 0;        ///< The index of the window to replace next.
};

/// The addresses that a memory instruction has accessed, and the allocations that were looked up
/// for it. Warps that execute one after another can share one object. It then stays in the host's
/// caches.
struct AccessScratch {
  /// For the timing model: the address of each active lane, in the instruction's own address space.
  alignas(64) std::array<std::uint64_t, 32> address{};
  AllocationCache allocations;
};

/// The values of a warp's special registers, for the operation `read_special`.
struct WarpIdentity {
  alignas(64) std::array<std::uint32_t, 32> thread_x{};
  alignas(64) std::array<std::uint32_t, 32> thread_y{};
  alignas(64) std::array<std::uint32_t, 32> thread_z{};
  std::uint32_t block_x = 0, block_y = 0, block_z = 0;
  std::uint32_t warp = 0;  ///< The warp's number in its block.
  std::uint32_t warps_per_block = 0;
  std::uint32_t sm = 0, sm_count = 1;
  std::uint64_t grid_id = 0;
  std::uint32_t dynamic_shared_bytes = 0, total_shared_bytes = 0, aggregate_shared_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;  ///< The offset at which dynamic shared memory begins.
  /// The lanes that hold a thread; a block's last warp may have fewer than 32.
  std::uint32_t existing = ~std::uint32_t{0};
};

/// What an instruction's handler reads and writes. The members that every handler needs come first,
/// in one cache line of the host.
struct alignas(kHostLineBytes) WarpContext {
  /// The first words of the registers, the immediates and the constants, by OperandRef::Base. The
  /// fourth is unused.
  std::array<std::uint32_t*, 4> base{};
  std::uint32_t* predicates = nullptr;  ///< A lane mask for each PredicateRef::slot().
  std::uint32_t active = 0;             ///< The lanes on the path whose guard is true.
  std::uint32_t path_active = 0;        ///< The lanes on the path: those at the instruction.
  std::uint64_t clock = 0;              ///< %clock64
  MemoryView memory;
  std::uint32_t frame_base = 0;  ///< Start of the running function's frame in local memory.
  std::uint32_t frame_top = 0;   ///< The start of the next call's frame.
  AccessScratch* accesses = nullptr;
  const WarpIdentity* identity = nullptr;
  const code::Instruction* code = nullptr;   ///< By Decoded::index, for fields that Decoded lacks.
  const OperandRef* more_sources = nullptr;  ///< See Decoded::offset.
  std::uint64_t nanoseconds = 0;             ///< %globaltimer
  /// If the program is decoded for observation: the own handlers of observed instructions, by
  /// Decoded::index.
  const Handler* plain_handlers = nullptr;
  const AccessReport* accesses_to = nullptr;  ///< Null: accesses are not reported.

  /// The addresses of the last memory access, by lane.
  std::array<std::uint64_t, 32>& address() const { return accesses->address; }
  /// The 32 values of an operand, by lane. For a 64-bit operand, the high words follow the low
  /// words.
  std::uint32_t* lanes(OperandRef ref) const { return base[ref.base()] + ref.first_word(); }
  std::uint32_t predicate(PredicateRef ref) const {
    return predicates[ref.slot()] ^ (ref.negated() ? ~std::uint32_t{0} : 0);
  }
  /// Sets the active lanes of a predicate register to the bits of `value`.
  void set_predicate(PredicateRef ref, std::uint32_t value) const {
    if (ref.present()) {
      std::uint32_t& p = predicates[ref.slot()];
      p = (p & ~active) | (value & active);
    }
  }
};

}  // namespace heddle::exec
