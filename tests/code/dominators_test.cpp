// Compares dominators and post-dominators with their definition: if a node is removed, the nodes
// that it dominates become unreachable.

#include "code/dominators.h"

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "code/control_flow.h"
#include "code/random_function.h"

namespace heddle::code {
namespace {

/// By node: whether a path from `root` reaches it without the node `removed` (kNone: none removed).
std::vector<bool> reached_without(const Graph& graph, std::uint32_t root, std::uint32_t removed) {
  std::vector<bool> seen(graph.size());
  if (root == removed) return seen;
  std::vector<std::uint32_t> work{root};
  seen[root] = true;
  while (!work.empty()) {
    const std::uint32_t node = work.back();
    work.pop_back();
    for (const std::uint32_t next : graph.successors(node)) {
      if (next != removed && !seen[next]) {
        seen[next] = true;
        work.push_back(next);
      }
    }
  }
  return seen;
}

Graph random_graph(std::mt19937& random, std::uint32_t nodes) {
  std::vector<Graph::Edge> edges;
  const std::uint32_t count = random() % (2 * nodes + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto from = static_cast<std::uint32_t>(random() % nodes);
    const auto to = static_cast<std::uint32_t>(random() % nodes);
    bool known = false;
    for (const Graph::Edge& edge : edges) known = known || (edge.from == from && edge.to == to);
    if (!known) edges.push_back({from, to});
  }
  return Graph(nodes, edges);
}

void expect_dominators(const Graph& graph, std::uint32_t root, const DominatorTree& tree) {
  const std::vector<bool> reached = reached_without(graph, root, kNone);
  for (std::uint32_t b = 0; b < graph.size(); ++b) {
    ASSERT_EQ(tree.is_reachable(b), reached[b]);
    if (!reached[b]) {
      ASSERT_EQ(tree.parent(b), kNone);
      continue;
    }
    std::uint32_t strict_dominators = 0;
    for (std::uint32_t a = 0; a < graph.size(); ++a) {
      if (!reached[a]) continue;
      const bool dominates = a == b || !reached_without(graph, root, a)[b];
      ASSERT_EQ(tree.dominates(a, b), dominates) << a << " over " << b;
      if (dominates && a != b) ++strict_dominators;
    }
    // The immediate dominator is the strict dominator that all others dominate.
    if (b != root) {
      ASSERT_TRUE(tree.dominates(tree.parent(b), b));
      ASSERT_NE(tree.parent(b), b);
      std::uint32_t above_parent = 0;
      for (std::uint32_t a = 0; a < graph.size(); ++a) {
        if (reached[a] && a != b && tree.dominates(a, b) && tree.dominates(a, tree.parent(b))) {
          ++above_parent;
        }
      }
      ASSERT_EQ(above_parent, strict_dominators);
    } else {
      ASSERT_EQ(tree.parent(b), b);
    }
  }
}

TEST(Dominators, MatchDefinitionOnRandomGraphs) {
  std::mt19937 random(1);
  for (int run = 0; run < 3000; ++run) {
    const Graph graph = random_graph(random, 1 + random() % 9);
    expect_dominators(graph, 0, DominatorTree(graph, 0));
    if (HasFatalFailure()) return;
  }
}

TEST(Dominators, MatchDefinitionOnReversedGraphWithVirtualExit) {
  std::mt19937 random(2);
  for (int run = 0; run < 3000; ++run) {
    const std::uint32_t nodes = 1 + random() % 8;
    const Graph graph = random_graph(random, nodes);
    std::vector<std::uint32_t> exits;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (graph.successors(node).empty() || random() % 8 == 0) exits.push_back(node);
    }
    const DominatorTree tree = post_dominators(graph, exits);
    // Build the graph that post_dominators() should use. The last node of each endless loop gets an
    // edge to the virtual exit.
    std::vector<Graph::Edge> edges;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      for (const std::uint32_t next : graph.successors(node)) edges.push_back({node, next});
    }
    for (const std::uint32_t node : exits) edges.push_back({node, nodes});
    for (std::uint32_t node = nodes; node-- > 0;) {
      const Graph so_far(nodes + 1, edges);
      if (!reached_without(so_far, node, kNone)[nodes]) edges.push_back({node, nodes});
    }
    expect_dominators(Graph(nodes + 1, edges).reversed(), nodes, tree);
    if (HasFatalFailure()) return;
  }
}

Instruction branch_to(BlockIndex target, bool guarded) {
  Instruction instruction;
  instruction.operation = Operation::branch;
  instruction.target = target;
  if (guarded) instruction.guard = {0, false};
  return instruction;
}

Instruction final_instruction(Operation operation) {
  Instruction instruction;
  instruction.operation = operation;
  return instruction;
}

Function function_of(std::vector<std::vector<Instruction>> blocks) {
  Function function;
  function.predicates = 1;
  for (auto& instructions : blocks) function.blocks.push_back({std::move(instructions)});
  return function;
}

TEST(Reconvergence, FollowsIfWithoutElse) {
  const Function function =
      function_of({{branch_to(2, true)}, {}, {final_instruction(Operation::exit)}});
  EXPECT_EQ(reconvergence_of(function)[0], 2U);
}

TEST(Reconvergence, FollowsBothPathsOfIfElse) {
  const Function function = function_of(
      {{branch_to(2, true)}, {branch_to(3, false)}, {}, {final_instruction(Operation::exit)}});
  EXPECT_EQ(reconvergence_of(function)[0], 3U);
}

TEST(Reconvergence, IsExitOfLoop) {
  const Function function =
      function_of({{}, {branch_to(1, true)}, {final_instruction(Operation::exit)}});
  EXPECT_EQ(reconvergence_of(function)[1], 2U);
}

TEST(Reconvergence, ExistsIfPathsLeaveAtDifferentExits) {
  const Function function = function_of({{branch_to(2, true)},
                                         {final_instruction(Operation::exit)},
                                         {final_instruction(Operation::exit)}});
  // Threads that leave by the ignored exit have ended; the others continue alone.
  EXPECT_NE(reconvergence_of(function)[0], kNone);
}

TEST(Reconvergence, IgnoresEarlyExit) {
  // Block 0 may branch to 4 and block 1 to 3. Blocks 2 and 4 exit; block 3 falls through to 4.
  const Function function = function_of({{branch_to(4, true)},
                                         {branch_to(3, true)},
                                         {final_instruction(Operation::exit)},
                                         {},
                                         {final_instruction(Operation::exit)}});
  EXPECT_EQ(reconvergence_of(function)[0], 4U);
  EXPECT_EQ(reconvergence_of(function)[1], 3U);
}

TEST(Reconvergence, IgnoresTrapsAndEndlessLoops) {
  const Function trapped = function_of({{branch_to(2, true)},
                                        {final_instruction(Operation::trap)},
                                        {final_instruction(Operation::exit)}});
  EXPECT_EQ(reconvergence_of(trapped)[0], 2U);
  const Function endless = function_of(
      {{branch_to(2, true)}, {branch_to(1, false)}, {final_instruction(Operation::exit)}});
  EXPECT_EQ(reconvergence_of(endless)[0], 2U);
}

TEST(Reconvergence, PostDominatesBranchIfThereIsOneExit) {
  for (std::uint32_t seed = 0; seed < 500; ++seed) {
    testing::RandomShape shape;
    shape.instructions = 1;
    Function function = testing::RandomFunction(seed, shape).make();
    for (BasicBlock& block : function.blocks) {
      if (!block.instructions.empty() && block.instructions.back().operation == Operation::exit) {
        block.instructions.pop_back();
      }
    }
    function.blocks.push_back({{final_instruction(Operation::exit)}});
    const Graph graph = control_flow_of(function);
    const std::uint32_t last = graph.size() - 1;
    // Skip functions in which some block does not reach the exit, since its paths would be ignored.
    bool all_reach_exit = true;
    for (std::uint32_t block = 0; block < last; ++block) {
      all_reach_exit = all_reach_exit && reached_without(graph, block, kNone)[last];
    }
    if (!all_reach_exit) continue;
    const std::vector<BlockIndex> reconvergence = reconvergence_of(function);
    for (std::uint32_t block = 0; block < last; ++block) {
      ASSERT_NE(reconvergence[block], kNone);
      if (reconvergence[block] == last) continue;
      ASSERT_FALSE(reached_without(graph, block, reconvergence[block])[last]) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace heddle::code
