#include "cuda/graphs/graph.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "cuda/runtime/error_of.h"

namespace heddle::cuda::graphs {
namespace {

Node& add(Graph& graph, std::vector<Node*> dependencies = {}) {
  std::vector<Dependency> list;
  for (Node* const node : dependencies) list.push_back({.on = node});
  return graph.add(EmptyWork{}, list);
}

using Nodes = std::vector<Node*>;

TEST(Graph, OrdersNodesByDependenciesAndThenByCreation) {
  Registry registry;
  Graph graph(registry);
  Node& a = add(graph);
  Node& b = add(graph);
  Node& c = add(graph, {&b});
  Node& d = add(graph, {&a, &c});
  EXPECT_EQ(graph.in_dependence_order(), (Nodes{&a, &b, &c, &d}));
  // The first node now follows the third.
  graph.connect(c, a, {});
  EXPECT_EQ(graph.in_dependence_order(), (Nodes{&b, &c, &a, &d}));
  graph.disconnect(c, a);
  EXPECT_EQ(graph.in_dependence_order(), (Nodes{&a, &b, &c, &d}));
}

TEST(Graph, OrderOmitsNodesOnCycleAndAfterIt) {
  Registry registry;
  Graph graph(registry);
  Node& a = add(graph);
  Node& b = add(graph, {&a});
  Node& c = add(graph, {&b});
  add(graph, {&c});
  graph.connect(c, b, {});
  EXPECT_EQ(graph.in_dependence_order(), (Nodes{&a}));
}

TEST(Graph, RejectsInvalidDependencies) {
  Registry registry;
  Graph graph(registry), other(registry);
  Node& a = add(graph);
  Node& b = add(graph, {&a});
  Node& foreign = add(other);
  EXPECT_EQ(error_of([&] { graph.connect(a, b, {}); }), Error::invalid_value);
  EXPECT_EQ(error_of([&] { graph.connect(a, a, {}); }), Error::invalid_value);
  EXPECT_EQ(error_of([&] { graph.connect(foreign, b, {}); }), Error::invalid_value);
  EXPECT_EQ(error_of([&] { graph.disconnect(b, a); }), Error::invalid_value);
  EXPECT_EQ(error_of([&] { add(graph, {&a, &a}); }), Error::invalid_value);
  EXPECT_EQ(graph.nodes().size(), 2U);  // The rejected node has been removed.
  EXPECT_EQ(a.dependents.size(), 1U);
}

TEST(Graph, RemovesNodeWithItsDependencies) {
  Registry registry;
  Graph graph(registry);
  Node& a = add(graph);
  Node& b = add(graph, {&a});
  Node& c = add(graph, {&b});
  const abi::NodeHandle handle = handle_of(b);
  EXPECT_EQ(&registry.node(handle), &b);
  graph.remove(b);
  EXPECT_EQ(error_of([&] { registry.node(handle); }), Error::invalid_value);
  EXPECT_TRUE(a.dependents.empty());
  EXPECT_TRUE(c.dependencies.empty());
}

TEST(Graph, CopyHasSameStructureAndIsIndependent) {
  Registry registry;
  Graph graph(registry);
  Node& a = add(graph);
  Node& b = add(graph);
  Node& c = add(graph, {&b, &a});
  const std::unique_ptr<Graph> copy = graph.clone(GraphRole::whole);
  ASSERT_EQ(copy->nodes().size(), 3U);
  const Node& last = *copy->nodes()[2];
  EXPECT_EQ(last.cloned_id, c.id);
  EXPECT_NE(last.id, c.id);
  ASSERT_EQ(last.dependencies.size(), 2U);
  EXPECT_EQ(last.dependencies[0].on, copy->nodes()[1].get());  // In the same order.
  EXPECT_EQ(last.dependencies[1].on, copy->nodes()[0].get());
  graph.remove(c);
  EXPECT_EQ(copy->nodes().size(), 3U);
}

TEST(Graph, CopiesGraphsOfChildNodes) {
  Registry registry;
  Graph graph(registry);
  auto part = std::make_unique<Graph>(registry, GraphRole::part);
  Node& inner = add(*part);
  graph.add(ChildWork{std::move(part)}, {});
  const std::unique_ptr<Graph> copy = graph.clone(GraphRole::executed);
  std::vector<std::uint64_t> copied;
  copy->for_each([&](const Node& node) { copied.push_back(node.cloned_id); });
  EXPECT_EQ(copied, (std::vector<std::uint64_t>{graph.nodes()[0]->id, inner.id}));
  // A program has no handles of executed graphs.
  EXPECT_EQ(error_of([&] { registry.graph(handle_of(*copy)); }), Error::invalid_value);
}

TEST(Graph, DestroysUserObjectWithItsLastReference) {
  int destroyed = 0;
  auto object = std::make_shared<UserObject>();
  object->data = &destroyed;
  object->destroy = [](void* count) { ++*static_cast<int*>(count); };
  Registry registry;
  auto graph = std::make_unique<Graph>(registry);
  graph->user_objects.add(object, 2);
  std::unique_ptr<Graph> copy = graph->clone(GraphRole::executed);
  EXPECT_EQ(object->graph_references, 3U);
  graph->user_objects.release(*object, 1);
  EXPECT_EQ(error_of([&] { graph->user_objects.release(*object, 2); }), Error::invalid_value);
  graph.reset();
  EXPECT_EQ(destroyed, 0);
  copy.reset();
  EXPECT_EQ(destroyed, 1);
}

}  // namespace
}  // namespace heddle::cuda::graphs
