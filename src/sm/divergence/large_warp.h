#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/divergence/large_warp_threads.h"
#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// The large warp in a slot (see large_warps.cpp): several static warps (32 threads of a block
/// each), called its rows, which share one reconvergence stack.
class LargeWarp {
 public:
  /// Starts a large warp of these rows. StaticWarp::path is not used.
  void start(std::span<const StaticWarp> rows);
  exec::LargeWarpThreads& state() { return state_; }
  const exec::LargeWarpThreads& state() const { return state_; }
  std::span<const StaticWarp> all_rows() const { return all_rows_; }
  /// After enter(): the rows with threads at the next instruction. StaticWarp::path is these
  /// threads.
  std::span<const StaticWarp> rows() const { return rows_; }
  /// Prepares the execution of the next instruction, and rows().
  void enter();

 private:
  exec::LargeWarpThreads state_;
  std::vector<StaticWarp> all_rows_;
  std::vector<StaticWarp> rows_;
};

}  // namespace heddle::sm
