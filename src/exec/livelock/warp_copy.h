#pragma once

#include <vector>

#include "exec/block/block.h"
#include "exec/block/vector_register.h"
#include "exec/block/warp.h"
#include "exec/block/warp_context.h"

namespace heddle::exec {

/// A copy of a warp, for probing. The copy has registers and local memory of its own. It accesses
/// the same shared and global memory as the warp, so all stores must have been committed before.
class WarpCopy {
 public:
  WarpCopy(const Block& block, const Warp& warp);
  WarpCopy(const WarpCopy&) = delete;
  WarpCopy& operator=(const WarpCopy&) = delete;

  Warp& warp() { return warp_; }
  WarpContext& context() { return warp_.context; }
  /// Its registers, predicates and local memory.
  const std::vector<VectorRegister>& values() const { return values_; }

 private:
  Warp warp_;
  AccessScratch accesses_;
  std::vector<VectorRegister> values_;
};

}  // namespace heddle::exec
