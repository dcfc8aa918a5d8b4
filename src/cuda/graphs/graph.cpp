#include "cuda/graphs/graph.h"

#include <algorithm>
#include <queue>
#include <type_traits>
#include <utility>

#include "cuda/runtime/error.h"

namespace heddle::cuda::graphs {
namespace {

std::uint64_t next_id() {
  static std::uint64_t last = 0;  // The session's mutex is locked.
  return ++last;
}

bool has_edge(const Node& from, const Node& to) {
  return std::any_of(to.dependencies.begin(), to.dependencies.end(),
                     [&](const Dependency& dependency) { return dependency.on == &from; });
}

}  // namespace

Work copy_of(const Work& work, GraphRole role) {
  if (const auto* const child = std::get_if<ChildWork>(&work)) {
    return ChildWork{child->graph->clone(role)};
  }
  if (const auto* const conditional = std::get_if<ConditionalWork>(&work)) {
    ConditionalWork copy{.condition = conditional->condition, .kind = conditional->kind};
    for (const std::unique_ptr<Graph>& body : conditional->bodies) {
      copy.bodies.push_back(body->clone(role));
      copy.bodies.back()->is_body = true;
      copy.handles.push_back(handle_of(*copy.bodies.back()));
    }
    return copy;
  }
  return std::visit(
      [](const auto& plain) -> Work {
        using Kind = std::decay_t<decltype(plain)>;
        if constexpr (std::is_same_v<Kind, ChildWork> || std::is_same_v<Kind, ConditionalWork>) {
          return EmptyWork{};  // Not reached: the kinds with graphs are copied above.
        } else {
          return plain;
        }
      },
      work);
}

void erase_node(std::vector<Dependency>& dependencies, const Node& node) {
  std::erase_if(dependencies, [&](const Dependency& entry) { return entry.on == &node; });
}

void Registry::add(Graph& graph) { graphs_[&graph] = &graph; }
void Registry::add(Node& node) { nodes_[&node] = &node; }

Graph& Registry::graph(abi::GraphHandle handle) const {
  const auto found = graphs_.find(handle);
  if (found == graphs_.end()) throw Failure{Error::invalid_value};
  return *found->second;
}

Node& Registry::node(abi::NodeHandle handle) const {
  const auto found = nodes_.find(handle);
  if (found == nodes_.end()) throw Failure{Error::invalid_value};
  return *found->second;
}

Graph::Graph(Registry& registry, GraphRole role) : registry_(registry), role_(role) {
  if (role != GraphRole::executed) registry_.add(*this);
}

Graph::~Graph() {
  for (const std::unique_ptr<Node>& node : nodes_) registry_.remove(*node);
  registry_.remove(*this);
}

Node& Graph::add(Work work, const std::vector<Dependency>& dependencies) {
  auto owned = std::make_unique<Node>();
  Node& node = *owned;
  node.graph = this;
  node.id = next_id();
  nodes_.push_back(std::move(owned));
  try {
    for (const Dependency& dependency : dependencies) {
      connect(*dependency.on, node, dependency.data);
    }
  } catch (...) {
    remove(node);
    throw;
  }
  node.work = std::move(work);
  if (role_ != GraphRole::executed) registry_.add(node);
  return node;
}

void Graph::remove(Node& node) {
  for (const Dependency& dependency : node.dependencies) {
    erase_node(dependency.on->dependents, node);
  }
  for (const Dependency& dependent : node.dependents) erase_node(dependent.on->dependencies, node);
  registry_.remove(node);
  std::erase_if(nodes_, [&](const auto& candidate) { return candidate.get() == &node; });
}

void Graph::connect(Node& from, Node& to, const abi::EdgeData& data) {
  if (from.graph != this || to.graph != this || &from == &to || has_edge(from, to)) {
    throw Failure{Error::invalid_value};
  }
  to.dependencies.push_back({.on = &from, .data = data});
  from.dependents.push_back({.on = &to, .data = data});
}

void Graph::disconnect(Node& from, Node& to) {
  if (from.graph != this || to.graph != this || !has_edge(from, to)) {
    throw Failure{Error::invalid_value};
  }
  erase_node(to.dependencies, from);
  erase_node(from.dependents, to);
}

std::unique_ptr<Graph> Graph::clone(GraphRole role) const {
  auto copy = std::make_unique<Graph>(registry_, role);
  // The graphs that nodes own are parts, unless they are executed.
  const GraphRole inner = role == GraphRole::executed ? role : GraphRole::part;
  std::unordered_map<const Node*, Node*> copies;
  for (const std::unique_ptr<Node>& node : nodes_) {
    Node& copied = copy->add(copy_of(node->work, inner), {});
    copied.cloned_id = node->id;
    copies[node.get()] = &copied;
  }
  for (const std::unique_ptr<Node>& node : nodes_) {
    const auto copied = [&](const std::vector<Dependency>& from) {
      std::vector<Dependency> to;
      to.reserve(from.size());
      for (const Dependency& entry : from) {
        to.push_back({.on = copies.at(entry.on), .data = entry.data});
      }
      return to;
    };
    copies.at(node.get())->dependencies = copied(node->dependencies);
    copies.at(node.get())->dependents = copied(node->dependents);
  }
  copy->conditions = conditions;
  for (const std::shared_ptr<UserObject>& object : user_objects.objects()) {
    copy->user_objects.add(object, 1);
  }
  return copy;
}

std::vector<Node*> Graph::in_dependence_order() const {
  std::unordered_map<const Node*, std::size_t> places, missing;
  std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    places[nodes_[i].get()] = i;
    missing[nodes_[i].get()] = nodes_[i]->dependencies.size();
    if (nodes_[i]->dependencies.empty()) ready.push(i);
  }
  std::vector<Node*> order;
  while (!ready.empty()) {
    Node& node = *nodes_[ready.top()];
    ready.pop();
    order.push_back(&node);
    for (const Dependency& dependent : node.dependents) {
      if (--missing[dependent.on] == 0) ready.push(places[dependent.on]);
    }
  }
  return order;
}

void Graph::for_each(const std::function<void(Node&)>& visit) const {
  for (const std::unique_ptr<Node>& node : nodes_) {
    visit(*node);
    if (const auto* const child = std::get_if<ChildWork>(&node->work)) {
      child->graph->for_each(visit);
    } else if (const auto* const conditional = std::get_if<ConditionalWork>(&node->work)) {
      for (const std::unique_ptr<Graph>& body : conditional->bodies) body->for_each(visit);
    }
  }
}

}  // namespace heddle::cuda::graphs
