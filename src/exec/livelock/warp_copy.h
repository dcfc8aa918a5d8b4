#pragma once

#include <vector>

#include "exec/block/block.h"
#include "exec/block/vector_register.h"
#include "exec/block/warp.h"
#include "exec/block/warp_context.h"

namespace heddle::exec {

/// A copy of a warp, for probing. The copy has registers and local memory of its own. It accesses
/// the same shared and global memory as the warp. It does not see the warp's buffered stores, so
/// all of them must have been committed to memory before.
class WarpCopy {
 public:
  WarpCopy(const Block& block, const Warp& warp);
  WarpCopy(const WarpCopy&) = delete;
  WarpCopy& operator=(const WarpCopy&) = delete;

  Warp& warp() { return warp_; }
  WarpContext& context() { return warp_.context; }
  /// The copy's registers, predicates and local memory, one after another.
  const std::vector<VectorRegister>& values() const { return values_; }

 private:
  Warp warp_;
  AccessScratch accesses_;
  std::vector<VectorRegister> values_;
};

}  // namespace heddle::exec
