#pragma once

// The interface of code that observes a program's accesses to global memory.
//
// Observation costs nothing when it is off: the handlers of memory instructions are replaced when a
// program is decoded (exec/observation/observed_access.h).

#include <array>
#include <cstdint>
#include <memory>

#include "base/lane_mask.h"
#include "exec/memory/stray_accesses.h"

namespace heddle::exec {

struct Launch;

/// A warp of a launch. Here and below, a warp is 32 threads with consecutive numbers in a block.
struct ObservedWarp {
  const Launch* launch = nullptr;
  std::uint64_t block = 0;  ///< The index of the program's block in the grid.
  std::uint32_t warp = 0;   ///< The number of the warp in the program's block.
  std::uint32_t sm = 0;     ///< The multiprocessor that it runs on; 0 without timing.
};

/// The accesses of one instruction of a warp to global memory.
struct ObservedAccess {
  ObservedWarp warp{};
  std::uint32_t pc = 0;
  AccessKind kind = AccessKind::load;
  std::uint32_t bytes_per_lane = 4;
  LaneMask lanes{};  ///< The lanes that access global memory; at least one.
  /// By lane: the address. Meaningless for other lanes. Valid only during the call that reports the
  /// access.
  const std::array<std::uint64_t, 32>* addresses = nullptr;
};

/// Observes one launch. The calls come one after another, in an order that does not depend on the
/// host: that of execution or, with timing, of the cycles of issue. In a cycle, those of the first
/// multiprocessor come first.
class AccessObserver {
 public:
  AccessObserver() = default;
  AccessObserver(const AccessObserver&) = delete;
  AccessObserver& operator=(const AccessObserver&) = delete;
  virtual ~AccessObserver() = default;

  virtual void access(const ObservedAccess& access) = 0;
  /// All threads of the warp have ended.
  virtual void end_warp(const ObservedWarp& warp) = 0;
};

/// Makes an observer for each launch. Several host threads may begin launches concurrently.
class AccessObservers {
 public:
  AccessObservers() = default;
  AccessObservers(const AccessObservers&) = delete;
  AccessObservers& operator=(const AccessObservers&) = delete;
  virtual ~AccessObservers() = default;

  /// The launch ends when the observer is destroyed. `launch` must outlive the observer.
  virtual std::unique_ptr<AccessObserver> begin_launch(const Launch& launch) = 0;
};

}  // namespace heddle::exec
