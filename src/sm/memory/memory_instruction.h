#pragma once

// The messages between a multiprocessor's pipeline and its load-store unit: memory instructions,
// and their completions.

#include <cstdint>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "memory/lane_addresses.h"
#include "memory/request.h"
#include "sm/ids.h"
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

/// A memory instruction of a warp, or the part of it that goes through one path. The address of
/// each lane is aligned to the access size.
struct MemoryInstruction {
  MemoryPath path = MemoryPath::global;
  MemoryAction action = MemoryAction::load;
  LaneMask lanes;  ///< The lanes that access memory; at least one.
  std::uint32_t bytes_per_lane = 4;
  /// By lane. Not used after LoadStoreUnit::add() has returned.
  const memory::LaneAddresses* addresses = nullptr;
  std::uint32_t token = 0;  ///< Names the instruction in its MemoryCompletion.
  bool cached = true;       ///< For global loads: whether they use the L1.
  bool local = false;       ///< Whether it accesses local memory, which has counters of its own.
  /// Counters of instructions count those of the normal context only.
  ContextKind context = ContextKind::normal;
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
