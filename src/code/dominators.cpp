#include "code/dominators.h"

#include <algorithm>
#include <utility>

#include "code/effects.h"

namespace heddle::code {
namespace {

/// Writes `mark` to all unmarked nodes from which `node` is reachable. Returns their number.
std::uint32_t mark_reaching(const Graph& graph, std::uint32_t node, std::uint32_t mark,
                            std::vector<std::uint32_t>& marks) {
  if (marks[node] != kNone) return 0;
  std::vector<std::uint32_t> work{node};
  marks[node] = mark;
  std::uint32_t count = 0;
  while (!work.empty()) {
    const std::uint32_t reached = work.back();
    work.pop_back();
    ++count;
    for (const std::uint32_t before : graph.predecessors(reached)) {
      if (marks[before] == kNone) {
        marks[before] = mark;
        work.push_back(before);
      }
    }
  }
  return count;
}

std::vector<Graph::Edge> edges_of(const Graph& graph) {
  std::vector<Graph::Edge> edges;
  for (std::uint32_t node = 0; node < graph.size(); ++node) {
    for (const std::uint32_t next : graph.successors(node)) edges.push_back({node, next});
  }
  return edges;
}

/// Whether the block contains a trap or a failed assertion, which a correct program does not reach.
bool is_failure(const BasicBlock& block) {
  for (const Instruction& instruction : block.instructions) {
    if (instruction.operation == Operation::trap) return true;
    if (instruction.operation == Operation::system_call &&
        instruction.system_call == SystemCall::assert_fail) {
      return true;
    }
  }
  return false;
}

}  // namespace

// Cooper, Harvey and Kennedy: "A Simple, Fast Dominance Algorithm".
DominatorTree::DominatorTree(const Graph& graph, std::uint32_t root)
    : parent_(graph.size(), kNone), entry_time_(graph.size()), exit_time_(graph.size()) {
  const std::vector<std::uint32_t> order = graph.reverse_post_order(root);
  std::vector<std::uint32_t> position(graph.size(), kNone);
  for (std::uint32_t i = 0; i < order.size(); ++i) position[order[i]] = i;
  parent_[root] = root;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (position[a] > position[b]) a = parent_[a];
      while (position[b] > position[a]) b = parent_[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 1; i < order.size(); ++i) {
      std::uint32_t parent = kNone;
      for (const std::uint32_t before : graph.predecessors(order[i])) {
        if (parent_[before] == kNone) continue;
        parent = parent == kNone ? before : meet(parent, before);
      }
      if (parent_[order[i]] != parent) {
        parent_[order[i]] = parent;
        changed = true;
      }
    }
  }

  // Build the lists of children, then number the nodes in a depth-first walk.
  std::vector<Graph::Edge> tree;
  for (std::size_t i = 1; i < order.size(); ++i) tree.push_back({parent_[order[i]], order[i]});
  const Graph children(graph.size(), tree);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack{{root, 0}};
  std::uint32_t time = 0;
  entry_time_[root] = ++time;
  preorder_.push_back(root);
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    const auto below = children.successors(node);
    if (next < below.size()) {
      const std::uint32_t child = below[next++];
      entry_time_[child] = ++time;
      preorder_.push_back(child);
      stack.emplace_back(child, 0);
    } else {
      exit_time_[node] = time;
      stack.pop_back();
    }
  }
  // Unreachable nodes dominate nothing and are dominated by nothing.
  for (std::uint32_t node = 0; node < graph.size(); ++node) {
    if (parent_[node] == kNone) {
      entry_time_[node] = ++time;
      exit_time_[node] = time;
    }
  }
}

DominatorTree post_dominators(const Graph& graph, const std::vector<std::uint32_t>& exits) {
  const std::uint32_t exit = graph.size();
  std::vector<Graph::Edge> edges = edges_of(graph);
  std::vector<std::uint32_t> marks(graph.size(), kNone);
  const auto leave = [&](std::uint32_t node) {
    edges.push_back({node, exit});
    mark_reaching(graph, node, 0, marks);
  };
  for (const std::uint32_t node : exits) leave(node);
  for (std::uint32_t node = graph.size(); node-- > 0;) {
    if (marks[node] == kNone) leave(node);
  }
  return DominatorTree(Graph(graph.size() + 1, edges).reversed(), exit);
}

std::vector<BlockIndex> reconvergence_of(const Function& function) {
  const Graph graph = control_flow_of(function);
  const std::uint32_t blocks = graph.size();

  // Sort exits by the number of blocks from which they are reachable, so that the main exit comes
  // first.
  std::vector<std::uint32_t> exits;
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const auto& instructions = function.blocks[block].instructions;
    const bool leaves = falls_through(function.blocks[block])
                            ? block + 1 == blocks
                            : leaves_function(instructions.back());
    if (leaves) exits.push_back(block);
  }
  // The maximum number of exits whose blocks are counted, since each count takes time linear in the
  // function's size.
  constexpr std::size_t kMaxWeighedExits = 16;
  if (exits.size() > 1) {
    std::reverse(exits.begin(), exits.end());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> weighed;
    for (std::size_t i = 0; i < exits.size(); ++i) {
      std::uint32_t weight = 0;
      if (i < kMaxWeighedExits && !is_failure(function.blocks[exits[i]])) {
        std::vector<std::uint32_t> marks(blocks, kNone);
        weight = mark_reaching(graph, exits[i], 0, marks);
      }
      weighed.emplace_back(weight, exits[i]);
    }
    std::stable_sort(weighed.begin(), weighed.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < exits.size(); ++i) exits[i] = weighed[i].second;
  }

  // Divide the blocks into parts: each block belongs to the part of the first exit that it reaches.
  // Edges to a later exit's part are ignored.
  std::vector<std::uint32_t> part(blocks, kNone);
  std::vector<Graph::Edge> edges;
  std::uint32_t parts = 0;
  for (const std::uint32_t node : exits) {
    mark_reaching(graph, node, parts++, part);
    edges.push_back({node, blocks});
  }
  for (std::uint32_t node = blocks; node-- > 0;) {
    if (part[node] != kNone) continue;
    mark_reaching(graph, node, parts++, part);
    edges.push_back({node, blocks});
  }
  for (const Graph::Edge& edge : edges_of(graph)) {
    if (part[edge.to] <= part[edge.from]) edges.push_back(edge);
  }
  const DominatorTree tree(Graph(blocks + 1, edges).reversed(), blocks);
  std::vector<BlockIndex> result(blocks, kNone);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    if (tree.parent(block) < blocks) result[block] = tree.parent(block);
  }
  return result;
}

}  // namespace heddle::code
