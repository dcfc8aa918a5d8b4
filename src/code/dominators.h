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
    return first_[a] <= first_[b] && last_[b] <= last_[a];
  }
  /// The reachable nodes in preorder of the tree: each subtree is contiguous.
  const std::vector<std::uint32_t>& preorder() const { return preorder_; }

 private:
  std::vector<std::uint32_t> parent_;
  /// Entry and exit times of a depth-first walk over the tree.
  std::vector<std::uint32_t> first_, last_;
  std::vector<std::uint32_t> preorder_;
};

/// The graph's post-dominators, computed as dominators of the reversed graph. The root is a virtual
/// exit, the node graph.size(). Each of `exits` has an edge to it. A part of the graph that reaches
/// no exit (an endless loop) gets an edge from one of its nodes.
DominatorTree post_dominators(const Graph& graph, const std::vector<std::uint32_t>& exits);

/// By block: the block at which threads that diverge at its end reconverge. kNone: they leave the
/// function separately. Paths that never lead back (an early exit, a trap, an endless loop) are
/// ignored if there is another path, since their threads do not return.
std::vector<BlockIndex> reconvergence_of(const Function& function);

}  // namespace heddle::code
