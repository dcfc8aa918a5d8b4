#pragma once

// The control-flow graph of a function.

#include <cstdint>
#include <span>
#include <vector>

#include "code/function.h"

namespace heddle::code {

/// An immutable directed graph over the nodes 0 .. size-1.
class Graph {
 public:
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };

  Graph(std::uint32_t nodes, const std::vector<Edge>& edges);

  std::uint32_t size() const { return static_cast<std::uint32_t>(first_successor_.size() - 1); }
  std::span<const std::uint32_t> successors(std::uint32_t node) const {
    return part_of(successors_, first_successor_, node);
  }
  std::span<const std::uint32_t> predecessors(std::uint32_t node) const {
    return part_of(predecessors_, first_predecessor_, node);
  }
  /// The same nodes, with every edge reversed.
  Graph reversed() const;
  /// The nodes that are reachable from `root`, in reverse post-order: each node precedes its
  /// successors, except along back edges.
  std::vector<std::uint32_t> reverse_post_order(std::uint32_t root) const;

 private:
  Graph() = default;
  /// Node n's part of `list`: from first[n] to first[n + 1], the latter exclusive.
  static std::span<const std::uint32_t> part_of(const std::vector<std::uint32_t>& list,
                                                const std::vector<std::uint32_t>& first,
                                                std::uint32_t node) {
    return {list.data() + first[node], list.data() + first[node + 1]};
  }

  // All nodes' successors, one node after another, and where those of each node begin.
  std::vector<std::uint32_t> successors_, first_successor_;
  std::vector<std::uint32_t> predecessors_, first_predecessor_;
};

/// Whether control can continue from the end of this block to the next one in order.
bool falls_through(const BasicBlock& block);

/// The blocks that can follow block `index`, each once: the branch targets, then the next block in
/// order.
std::vector<BlockIndex> successors_of(const Function& function, BlockIndex index);

/// The control-flow graph of a function; its nodes are the block indices.
Graph control_flow_of(const Function& function);

}  // namespace heddle::code
