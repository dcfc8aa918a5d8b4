#pragma once

// What passes between a multiprocessor's pipeline and its load-store unit.

#include <cstdint>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "memory/lane_addresses.h"
#include "memory/request.h"
#include "trace/event.h"

namespace heddle::sm {

/// The ways through the unit, each with a queue of its own.
enum class MemoryPath : std::uint8_t {
  global,    ///< Local and global memory, through the L1.
  shared,    ///< The scratchpad.
  constant,  ///< The constant cache: loads only.
  texture,   ///< The texture unit and its cache: loads only.
};

enum class MemoryAction : std::uint8_t { load, store, atomic };

/// What a warp's instruction asks for. All lanes' bytes are aligned to their size.
struct MemoryInstruction {
  MemoryPath path = MemoryPath::global;
  MemoryAction action = MemoryAction::load;
  LaneMask lanes;  ///< At least one.
  std::uint32_t bytes_per_lane = 4;
  const memory::LaneAddresses* addresses = nullptr;  ///< Looked at during add() only.
  std::uint32_t token = 0;  ///< Of the completion, which loads and atomics have.
  bool cached = true;       ///< Global loads: false to bypass the L1.
  bool local = false;       ///< Local memory: goes the way of global memory, but is counted apart.
  /// Of an atomic on global memory: what is to be done, and whether the old values come back.
  memory::AtomicWork* work = nullptr;
  bool wants_old_values = true;
  trace::Origin origin{};  ///< Looked at by traces only.
};

/// A load's data have come, or an atomic has been performed and its old values, if any, have come.
struct MemoryCompletion {
  std::uint32_t token = 0;
  Cycle at;
};

}  // namespace heddle::sm
