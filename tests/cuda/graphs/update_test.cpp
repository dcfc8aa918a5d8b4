#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "cuda/graphs/executable.h"
#include "cuda/runtime/error_of.h"

namespace heddle::cuda::graphs {
namespace {

using abi::UpdateResult;

void call_nothing(void*) {}

/// Work with a number, by which tests recognise it.
Work numbered(std::uintptr_t number) {
  return HostWork{{.function = call_nothing, .data = reinterpret_cast<void*>(number)}};
}
std::uintptr_t number_of(const Node& node) {
  return reinterpret_cast<std::uintptr_t>(std::get<HostWork>(node.work).host.data);
}

Node& add(Graph& graph, Work work, std::vector<Node*> dependencies = {}) {
  std::vector<Dependency> list;
  for (Node* const node : dependencies) list.push_back({.on = node});
  return graph.add(std::move(work), list);
}

/// A graph whose last node depends on two others, with the numbers 1 to 3 times `factor`.
struct Fork {
  explicit Fork(Registry& registry, std::uintptr_t factor)
      : graph(registry),
        left(add(graph, numbered(1 * factor))),
        right(add(graph, numbered(2 * factor))),
        last(add(graph, numbered(3 * factor), {&left, &right})) {}
  Graph graph;
  Node &left, &right, &last;
};

std::unique_ptr<Graph> executed(const Graph& graph) { return graph.clone(GraphRole::executed); }

TEST(Update, PairsNodesByOrderOfDependencies) {
  Registry registry;
  const Fork fork(registry, 1);
  const std::unique_ptr<Graph> target = executed(fork.graph);
  // The nodes are created in another order, but the dependencies are in the same order.
  Graph graph(registry);
  Node& right = add(graph, numbered(20));
  Node& last = add(graph, numbered(30));
  Node& left = add(graph, numbered(10));
  graph.connect(left, last, {});
  graph.connect(right, last, {});
  EXPECT_EQ(update(*target, graph).result, UpdateResult::success);
  EXPECT_EQ(number_of(*target->nodes()[0]), 10U);
  EXPECT_EQ(number_of(*target->nodes()[1]), 20U);
  EXPECT_EQ(number_of(*target->nodes()[2]), 30U);
}

TEST(Update, RejectsOtherNumberOfNodesWithoutErrorNode) {
  Registry registry;
  const Fork fork(registry, 1);
  const std::unique_ptr<Graph> target = executed(fork.graph);
  Fork more(registry, 10);
  add(more.graph, EmptyWork{});
  const abi::UpdateInfo info = update(*target, more.graph);
  EXPECT_EQ(info.result, UpdateResult::topology_changed);
  EXPECT_EQ(info.error_node, nullptr);
  EXPECT_EQ(number_of(*target->nodes()[0]), 1U);  // Nothing has changed.
}

TEST(Update, NamesNodeWithOtherNumberOfDependencies) {
  Registry registry;
  const Fork fork(registry, 1);
  const std::unique_ptr<Graph> target = executed(fork.graph);
  Fork other(registry, 10);
  other.graph.connect(other.left, other.right, {});
  const abi::UpdateInfo info = update(*target, other.graph);
  EXPECT_EQ(info.result, UpdateResult::topology_changed);
  EXPECT_EQ(info.error_node, handle_of(other.right));
}

TEST(Update, NamesDependencyThatIsPairedAlready) {
  // In the executable graph, the last two nodes depend on different ones. In the graph, they depend
  // on the same one.
  Registry registry;
  Graph graph(registry), other(registry);
  for (Graph* const made : {&graph, &other}) {
    Node& first = add(*made, EmptyWork{});
    Node& second = add(*made, EmptyWork{});
    add(*made, EmptyWork{}, {&first});
    add(*made, EmptyWork{}, {made == &graph ? &second : &first});
  }
  const abi::UpdateInfo info = update(*executed(graph), other);
  EXPECT_EQ(info.result, UpdateResult::topology_changed);
}

TEST(Update, NamesNodeOfOtherType) {
  Registry registry;
  const Fork fork(registry, 1);
  const std::unique_ptr<Graph> target = executed(fork.graph);
  Fork other(registry, 10);
  other.right.work = EmptyWork{};
  const abi::UpdateInfo info = update(*target, other.graph);
  EXPECT_EQ(info.result, UpdateResult::node_type_changed);
  EXPECT_EQ(info.error_node, handle_of(other.right));
  EXPECT_EQ(number_of(*target->nodes()[0]), 1U);
}

TEST(Update, RejectsCooperativeLaunchInPlaceOfOther) {
  Registry registry;
  Graph graph(registry), other(registry);
  add(graph, KernelWork{});
  KernelWork cooperative;
  cooperative.attributes[abi::kCooperativeAttribute].value.flag = 1;
  const Node& node = add(other, cooperative);
  const abi::UpdateInfo info = update(*executed(graph), other);
  EXPECT_EQ(info.result, UpdateResult::attributes_changed);
  EXPECT_EQ(info.error_node, handle_of(node));
}

TEST(Update, RejectsOtherShapeOfFillWithRows) {
  Registry registry;
  Graph graph(registry), other(registry);
  FillWork fill{
      {.to = nullptr, .pitch = 8, .value = 1, .element_bytes = 4, .width = 2, .height = 2}};
  add(graph, fill);
  fill.fill.value = 2;
  const std::unique_ptr<Graph> target = executed(graph);
  Node& node = add(other, fill);
  EXPECT_EQ(update(*target, other).result, UpdateResult::success);
  EXPECT_EQ(std::get<FillWork>(target->nodes()[0]->work).fill.value, 2U);
  std::get<FillWork>(node.work).fill.height = 3;
  EXPECT_EQ(update(*target, other).result, UpdateResult::parameters_changed);
}

TEST(Update, ReachesGraphsOfChildNodes) {
  Registry registry;
  Graph graph(registry), other(registry);
  for (Graph* const made : {&graph, &other}) {
    auto part = std::make_unique<Graph>(registry, GraphRole::part);
    add(*part, numbered(made == &graph ? 1 : 5));
    add(*made, ChildWork{std::move(part)});
  }
  const std::unique_ptr<Graph> target = executed(graph);
  EXPECT_EQ(update(*target, other).result, UpdateResult::success);
  const Graph& part = *std::get<ChildWork>(target->nodes()[0]->work).graph;
  EXPECT_EQ(number_of(*part.nodes()[0]), 5U);
  Graph& changed = *std::get<ChildWork>(other.nodes()[0]->work).graph;
  add(changed, EmptyWork{});
  EXPECT_EQ(update(*target, other).result, UpdateResult::topology_changed);
}

TEST(Instantiation, NamesNodeOnCycle) {
  Registry registry;
  Fork fork(registry, 1);
  InstantiationProblem problem;
  const std::shared_ptr<Executable> executable = instantiate(fork.graph, 0, problem);
  ASSERT_NE(executable, nullptr);
  EXPECT_EQ(number_of(node_of(*executable, fork.last)), 3U);
  fork.graph.connect(fork.last, fork.right, {});
  EXPECT_EQ(instantiate(fork.graph, 0, problem), nullptr);
  EXPECT_EQ(problem.result, abi::InstantiateResult::invalid_structure);
  EXPECT_EQ(problem.node, &fork.right);
}

TEST(Instantiation, RejectsConditionWithoutNode) {
  Registry registry;
  Graph graph(registry);
  graph.conditions.push_back(std::make_shared<Condition>());
  InstantiationProblem problem;
  EXPECT_EQ(instantiate(graph, 0, problem), nullptr);
  EXPECT_EQ(problem.result, abi::InstantiateResult::condition_unused);
}

}  // namespace
}  // namespace heddle::cuda::graphs
