#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/divergence/large_warp_threads.h"
#include "sm/pipeline/thread_grouping.h"

namespace heddle::sm {

/// A large warp in a slot (LWM; see large_warps.cpp). Its rows are static warps, which share one
/// reconvergence stack.
class LargeWarp {
 public:
  /// Starts a large warp of these rows. Their `path` is not used.
  void start(std::span<const StaticWarp> rows);
  exec::LargeWarpThreads& state() { return state_; }
  const exec::LargeWarpThreads& state() const { return state_; }
  std::span<const StaticWarp> all_rows() const { return all_rows_; }
  /// After enter(): the rows that have threads on the path of the instruction.
  std::span<const StaticWarp> rows() const { return rows_; }
  /// Prepares rows() for the next instruction.
  void enter();

 private:
  exec::LargeWarpThreads state_;
  std::vector<StaticWarp> all_rows_;
  std::vector<StaticWarp> rows_;
};

}  // namespace heddle::sm
