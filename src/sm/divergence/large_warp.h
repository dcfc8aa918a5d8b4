#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exec/divergence/large_warp_threads.h"
#include "sm/pipeline/travellers.h"

namespace heddle::sm {

/// A large warp in a slot: rows that execute as one, in sub-warps.
class LargeWarp {
 public:
  /// Of the rows, `path` is not looked at.
  void start(std::span<const Row> rows);
  exec::LargeWarpThreads& state() { return state_; }
  const exec::LargeWarpThreads& state() const { return state_; }
  std::span<const Row> all_rows() const { return all_rows_; }
  /// Those that execute the instruction which has been entered.
  std::span<const Row> rows() const { return rows_; }
  void enter();

 private:
  exec::LargeWarpThreads state_;
  std::vector<Row> all_rows_;
  std::vector<Row> rows_;
};

}  // namespace heddle::sm
