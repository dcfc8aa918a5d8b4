#pragma once

#include <vector>

#include "exec/block/block.h"
#include "exec/block/lane_context.h"
#include "exec/block/row.h"
#include "exec/block/warp.h"

namespace heddle::exec {

/// A copy of a warp to try out what it would do: it has registers and local memory of its own, and
/// sees the shared and global memory that the warp sees, with all stores committed.
class WarpCopy {
 public:
  WarpCopy(const Block& block, const Warp& warp);
  WarpCopy(const WarpCopy&) = delete;
  WarpCopy& operator=(const WarpCopy&) = delete;

  Warp& warp() { return warp_; }
  LaneContext& context() { return warp_.context; }
  /// Its registers, predicates and local memory.
  const std::vector<Row>& values() const { return values_; }

 private:
  Warp warp_;
  AccessRoom accesses_;
  std::vector<Row> values_;
};

}  // namespace heddle::exec
