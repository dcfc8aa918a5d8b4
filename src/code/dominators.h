#pragma once

#include <cstdint>
#include <vector>

#include "code/control_flow.h"

namespace heddle::code {

/// The dominator tree of a graph: `a` dominates `b` where every path from the root to `b` passes
/// through `a`.
class DominatorTree {
 public:
  DominatorTree(const Graph& graph, std::uint32_t root);

  bool reaches(std::uint32_t node) const { return parent_[node] != kNone; }
  /// The immediate dominator; of the root itself; kNone where the root does not reach the node.
  std::uint32_t parent(std::uint32_t node) const { return parent_[node]; }
  bool dominates(std::uint32_t a, std::uint32_t b) const {
    return first_[a] <= first_[b] && last_[b] <= last_[a];
  }
  /// The reached nodes, each after its parent and its whole subtree together.
  const std::vector<std::uint32_t>& preorder() const { return preorder_; }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> first_, last_;  ///< When a walk over the tree enters and leaves.
  std::vector<std::uint32_t> preorder_;
};

/// The graph's post-dominators as the dominators of the reversed graph from a virtual exit, the
/// node graph.size(). `exits` have an edge to it; a part of the graph that reaches none of them
/// (an endless loop) gets one from one of its nodes.
DominatorTree post_dominators(const Graph& graph, const std::vector<std::uint32_t>& exits);

/// Where the threads that part at the end of each block meet again: a block, or kNone where they
/// leave the function apart. A way that only leaves (an early exit, a trap, an endless loop) does
/// not count where there is another way: its threads are gone.
std::vector<BlockIndex> reconvergence_of(const Function& function);

}  // namespace heddle::code
