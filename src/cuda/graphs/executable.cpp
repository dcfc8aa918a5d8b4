#include "cuda/graphs/executable.h"

#include <algorithm>

namespace heddle::cuda::graphs {
namespace {

/// Finds a node on a cycle, or after one, in a graph and the graphs that its nodes own.
const Node* node_on_cycle(const Graph& graph) {
  const std::vector<Node*> order = graph.in_dependence_order();
  if (order.size() < graph.nodes().size()) {
    for (const std::unique_ptr<Node>& node : graph.nodes()) {
      if (std::find(order.begin(), order.end(), node.get()) == order.end()) return node.get();
    }
  }
  const Node* found = nullptr;
  for (const std::unique_ptr<Node>& node : graph.nodes()) {
    if (const auto* const child = std::get_if<ChildWork>(&node->work)) {
      found = node_on_cycle(*child->graph);
    } else if (const auto* const conditional = std::get_if<ConditionalWork>(&node->work)) {
      for (const auto& body : conditional->bodies) {
        if (found == nullptr) found = node_on_cycle(*body);
      }
    }
    if (found != nullptr) return found;
  }
  return nullptr;
}

}  // namespace

std::shared_ptr<Executable> instantiate(const Graph& graph, unsigned long long flags,
                                        InstantiationProblem& problem) {
  problem = {};
  if (const Node* const node = node_on_cycle(graph)) {
    problem = {.result = abi::InstantiateResult::invalid_structure, .node = node};
    return nullptr;
  }
  for (const std::shared_ptr<Condition>& condition : graph.conditions) {
    if (condition->has_node) continue;
    problem.result = abi::InstantiateResult::condition_unused;
    return nullptr;
  }
  auto executable = std::make_shared<Executable>();
  executable->graph = graph.clone(GraphRole::executed);
  executable->flags = flags;
  return executable;
}

Node& node_of(const Executable& executable, const Node& original) {
  Node* found = nullptr;
  executable.graph->for_each([&](Node& node) {
    if (node.cloned_id == original.id) found = &node;
  });
  if (found == nullptr) throw Failure{Error::invalid_value};
  return *found;
}

}  // namespace heddle::cuda::graphs
