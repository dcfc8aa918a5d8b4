#pragma once

// What an instruction's handler sees of the warp that executes it.

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

/// The memories of one block, as one of its warps sees them.
struct MemoryView {
  GlobalMemory* global = nullptr;
  TextureUnit* textures = nullptr;
  std::byte* shared = nullptr;
  std::uint32_t shared_bytes = 0;
  /// The warp's local memory, word-interleaved: word w of lane l is local[w * 32 + l].
  std::uint32_t* local = nullptr;
  std::uint32_t local_bytes = 0;          ///< Of one thread; a multiple of 4.
  const std::byte* parameters = nullptr;  ///< The launch's parameter area.
  std::uint32_t parameter_bytes = 0;
  /// Where stores to global memory go, and loads look first, in a timed run; null: to memory.
  EpochStores* stores = nullptr;
};

/// A stretch of device memory that lies within one live allocation; none where `bytes` is 0.
struct AllocationWindow {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;  ///< Where `begin` is in the host's memory.
  bool writable = false;
};

/// The allocations that were used last; exec/memory/memory_access.h fills it and looks in it.
struct AllocationCache {
  std::array<AllocationWindow, 4> windows{};
  const GlobalMemory* memory = nullptr;
  std::uint64_t epoch = 0;  ///< GlobalMemory::epoch() when the windows were found.
  std::uint32_t next = 0;   ///< The window to replace next.
};

/// What a memory instruction leaves and looks up. One will do for all warps that execute one after
/// another, and the host's caches hold it then.
struct AccessRoom {
  /// For whoever models the instruction's time: an address per active lane, as the instruction's
  /// own space counts it, and the space that a generic access went to.
  alignas(64) std::array<std::uint64_t, 32> address{};
  AllocationCache allocations;
};

/// What read_special returns.
struct WarpIdentity {
  alignas(64) std::array<std::uint32_t, 32> thread_x{};
  alignas(64) std::array<std::uint32_t, 32> thread_y{};
  alignas(64) std::array<std::uint32_t, 32> thread_z{};
  std::uint32_t block_x = 0, block_y = 0, block_z = 0;
  std::uint32_t warp = 0;
  std::uint32_t warps_per_block = 0;
  std::uint32_t sm = 0, sm_count = 1;
  std::uint64_t grid_id = 0;
  std::uint32_t dynamic_shared_bytes = 0, total_shared_bytes = 0;
  std::uint32_t dynamic_shared_offset = 0;  ///< Where dynamic shared memory begins.
  /// The lanes that hold a thread: fewer than 32 in a block's last warp.
  std::uint32_t existing = ~std::uint32_t{0};
};

/// What every handler needs comes first, in a line of the host's cache.
struct alignas(kHostLineBytes) LaneContext {
  /// By RowRef::Base: registers, immediates, constants.
  std::array<std::uint32_t*, 4> base{};
  std::uint32_t* predicates = nullptr;  ///< By slot, a lane mask each; slot 0 is all ones.
  std::uint32_t active = 0;       ///< The lanes that execute: on this path and let by the guard.
  std::uint32_t path_active = 0;  ///< The lanes on this path, whatever the guard says.
  std::uint64_t clock = 0;        ///< %clock64
  MemoryView memory;
  std::uint32_t frame_base = 0;  ///< Of the running function, in the local window.
  std::uint32_t frame_top = 0;   ///< Where the next call's frame begins.
  AccessRoom* accesses = nullptr;
  const WarpIdentity* identity = nullptr;
  const code::Instruction* code = nullptr;  ///< By Decoded::index, for the rarer fields.
  const RowRef* more_sources = nullptr;
  std::uint64_t nanoseconds = 0;  ///< %globaltimer

  std::array<std::uint64_t, 32>& address() const { return accesses->address; }
  std::uint32_t* row(RowRef ref) const { return base[ref.base()] + ref.word(); }
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
