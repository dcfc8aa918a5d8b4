#pragma once

// Which blocks of a function follow which.

#include <cstdint>
#include <span>
#include <vector>

#include "code/function.h"

namespace heddle::code {

/// A directed graph over the nodes 0 .. size-1, fixed once it is made.
class Graph {
 public:
  struct Edge {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
  };

  Graph(std::uint32_t nodes, const std::vector<Edge>& edges);

  std::uint32_t size() const { return static_cast<std::uint32_t>(first_successor_.size() - 1); }
  std::span<const std::uint32_t> successors(std::uint32_t node) const {
    return slice(successors_, first_successor_, node);
  }
  std::span<const std::uint32_t> predecessors(std::uint32_t node) const {
    return slice(predecessors_, first_predecessor_, node);
  }
  /// The same nodes, with every edge turned round.
  Graph reversed() const;
  /// The nodes that `root` reaches, each before its successors but where a cycle forbids it.
  std::vector<std::uint32_t> reverse_post_order(std::uint32_t root) const;

 private:
  Graph() = default;
  static std::span<const std::uint32_t> slice(const std::vector<std::uint32_t>& list,
                                              const std::vector<std::uint32_t>& first,
                                              std::uint32_t node) {
    return {list.data() + first[node], list.data() + first[node + 1]};
  }

  std::vector<std::uint32_t> successors_, first_successor_;
  std::vector<std::uint32_t> predecessors_, first_predecessor_;
};

/// True where control can go from the end of this block to the next one in order.
bool falls_through(const BasicBlock& block);

/// The blocks that can follow block `index`, each once: targets first, then the next in order.
std::vector<BlockIndex> successors_of(const Function& function, BlockIndex index);

/// The graph of a function's blocks.
Graph control_flow_of(const Function& function);

}  // namespace heddle::code
