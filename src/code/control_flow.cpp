#include "code/control_flow.h"

#include <algorithm>
#include <utility>

#include "code/effects.h"

namespace heddle::code {

Graph::Graph(std::uint32_t nodes, const std::vector<Edge>& edges)
    : successors_(edges.size()),
      first_successor_(nodes + 1),
      predecessors_(edges.size()),
      first_predecessor_(nodes + 1) {
  for (const Edge& edge : edges) {
    ++first_successor_[edge.from + 1];
    ++first_predecessor_[edge.to + 1];
  }
  for (std::uint32_t node = 0; node < nodes; ++node) {
    first_successor_[node + 1] += first_successor_[node];
    first_predecessor_[node + 1] += first_predecessor_[node];
  }
  std::vector<std::uint32_t> next_successor(first_successor_.begin(), first_successor_.end() - 1);
  std::vector<std::uint32_t> next_predecessor(first_predecessor_.begin(),
                                              first_predecessor_.end() - 1);
  for (const Edge& edge : edges) {
    successors_[next_successor[edge.from]++] = edge.to;
    predecessors_[next_predecessor[edge.to]++] = edge.from;
  }
}

Graph Graph::reversed() const {
  Graph graph;
  graph.successors_ = predecessors_;
  graph.first_successor_ = first_predecessor_;
  graph.predecessors_ = successors_;
  graph.first_predecessor_ = first_successor_;
  return graph;
}

std::vector<std::uint32_t> Graph::reverse_post_order(std::uint32_t root) const {
  struct Visit {
    std::uint32_t node;
    std::uint32_t next;
  };
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(size());
  std::vector<Visit> stack{{root, 0}};
  seen[root] = true;
  while (!stack.empty()) {
    Visit& top = stack.back();
    const auto following = successors(top.node);
    // Visit the last successor first, so that the first one comes first in the reversed order.
    if (top.next < following.size()) {
      const std::uint32_t next = following[following.size() - 1 - top.next++];
      if (!seen[next]) {
        seen[next] = true;
        stack.push_back({next, 0});
      }
    } else {
      order.push_back(top.node);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

bool falls_through(const BasicBlock& block) {
  return block.instructions.empty() || !ends_path(block.instructions.back());
}

std::vector<BlockIndex> successors_of(const Function& function, BlockIndex index) {
  std::vector<BlockIndex> successors;
  const auto add = [&](BlockIndex block) {
    if (std::find(successors.begin(), successors.end(), block) == successors.end()) {
      successors.push_back(block);
    }
  };
  const BasicBlock& block = function.blocks[index];
  if (!block.instructions.empty()) {
    const Instruction& last = block.instructions.back();
    if (last.operation == Operation::branch) {
      add(last.target);
    } else if (last.operation == Operation::branch_indexed) {
      std::vector<BlockIndex> targets = function.branch_tables[last.target];
      std::sort(targets.begin(), targets.end());
      targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
      successors = std::move(targets);
    }
  }
  if (falls_through(block) && index + 1 < function.blocks.size()) add(index + 1);
  return successors;
}

Graph control_flow_of(const Function& function) {
  const auto blocks = static_cast<std::uint32_t>(function.blocks.size());
  std::vector<Graph::Edge> edges;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    for (const BlockIndex next : successors_of(function, block)) edges.push_back({block, next});
  }
  return Graph(blocks, edges);
}

}  // namespace heddle::code
