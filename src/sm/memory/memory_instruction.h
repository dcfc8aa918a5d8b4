#pragma once

// What a multiprocessor's pipeline and its load-store unit send to each other: instructions and
// completions.

#include <cstdint>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "memory/lane_addresses.h"
#include "memory/request.h"
#include "trace/event.h"

namespace heddle::sm {

/// The paths through the load-store unit, each with its own queue.
enum class MemoryPath : std::uint8_t {
  global,    ///< Global and local memory, through the L1.
  shared,    ///< The scratchpad.
  constant,  ///< The constant cache: loads only.
  texture,   ///< The texture unit and its cache: loads only.
};

enum class MemoryAction : std::uint8_t { load, store, atomic };

/// A warp's memory instruction. Each lane's address is aligned to the access size.
struct MemoryInstruction {
  MemoryPath path = MemoryPath::global;
  MemoryAction action = MemoryAction::load;
  LaneMask lanes;  ///< At least one.
  std::uint32_t bytes_per_lane = 4;
  /// Not used after LoadStoreUnit::add() has returned.
  const memory::LaneAddresses* addresses = nullptr;
  std::uint32_t token = 0;  ///< Identifies the completion of a load or atomic.
  bool cached = true;       ///< For global loads: false to bypass the L1.
  bool local = false;       ///< Local memory, which uses the global path but has its own counters.
  /// For atomics on global memory: the operation, and whether the old values are returned.
  memory::AtomicWork* work = nullptr;
  bool wants_old_values = true;
  trace::Origin origin{};  ///< For traces.
};

/// The completion of a load or an atomic: its data or old values, if any, can be used from `at` on.
struct MemoryCompletion {
  std::uint32_t token = 0;
  Cycle at;
};

}  // namespace heddle::sm
