#pragma once

#include <cstdint>
#include <vector>

#include "code/control_flow.h"

namespace heddle::code {

/// The dominator tree of a graph: `a` dominates `b` if every path from the root to `b` passes
/// through `a`.
class DominatorTree {
 public:
  DominatorTree(const Graph& graph, std::uint32_t root);

  /// Whether the node is reachable from the root.
  bool is_reachable(std::uint32_t node) const { return parent_[node] != kNone; }
  /// The immediate dominator. The root is its own parent; an unreachable node has kNone.
  std::uint32_t parent(std::uint32_t node) const { return parent_[node]; }
  bool dominates(std::uint32_t a, std::uint32_t b) const {
    return entry_time_[a] <= entry_time_[b] && exit_time_[b] <= exit_time_[a];
  }
  /// The reachable nodes in preorder of the tree: each subtree is contiguous.
  const std::vector<std::uint32_t>& preorder() const { return preorder_; }

 private:
  std::vector<std::uint32_t> parent_;
  // Times of a depth-first walk over the tree: when it enters and leaves each node's subtree.
  std::vector<std::uint32_t> entry_time_, exit_time_;
  std::vector<std::uint32_t> preorder_;
};

/// The graph's post-dominators: the dominators of the reversed graph. The root is a virtual exit,
/// the node graph.size(). Each of `exits` gets an edge to it. If a part of the graph reaches no
/// exit (an endless loop), one of its nodes gets an edge to the root, too.
DominatorTree post_dominators(const Graph& graph, const std::vector<std::uint32_t>& exits);

/// By block: the block at which threads that diverge at its end reconverge. kNone: they leave the
/// function separately. Paths that never join the others again (an early exit, a trap, an endless
/// loop) are ignored if there is another path.
std::vector<BlockIndex> reconvergence_of(const Function& function);

}  // namespace heddle::code
