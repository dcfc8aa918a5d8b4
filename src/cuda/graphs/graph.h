#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "cuda/graphs/user_object.h"
#include "cuda/graphs/work.h"

namespace heddle::cuda::graphs {

class Graph;
struct Node;

/// A dependency on another node of the same graph.
struct Dependency {
  Node* on = nullptr;
  abi::EdgeData data{};
};

/// Removes the dependencies on a node from a list.
void erase_node(std::vector<Dependency>& dependencies, const Node& node);

struct Node {
  Graph* graph = nullptr;
  std::uint64_t id = 0;         ///< No other node of the process ever has the same.
  std::uint64_t cloned_id = 0;  ///< The id of the node that this one is a copy of; 0: of none.
  Work work{};
  std::vector<Dependency> dependencies{};
  std::vector<Dependency> dependents{};
  bool is_enabled = true;
};

/// The graphs and nodes whose handles a program may have. A handle is the object's address.
class Registry {
 public:
  void add(Graph& graph);
  void add(Node& node);
  void remove(const Graph& graph) { graphs_.erase(&graph); }
  void remove(const Node& node) { nodes_.erase(&node); }
  // The object of a handle. These throw Failure for an invalid handle.
  Graph& graph(abi::GraphHandle handle) const;
  Node& node(abi::NodeHandle handle) const;

 private:
  std::unordered_map<const void*, Graph*> graphs_;
  std::unordered_map<const void*, Node*> nodes_;
};

inline abi::GraphHandle handle_of(const Graph& graph) {
  return reinterpret_cast<abi::GraphHandle>(const_cast<Graph*>(&graph));
}
inline abi::NodeHandle handle_of(const Node& node) {
  return reinterpret_cast<abi::NodeHandle>(const_cast<Node*>(&node));
}

/// The role of a graph.
enum class GraphRole : std::uint8_t {
  whole,     ///< The program owns it.
  part,      ///< A node owns it: the graph of a child node, or a body of a conditional one.
  executed,  ///< An executable graph, or a part of one. The program has no handle.
};

/// Nodes and their dependencies.
class Graph {
 public:
  explicit Graph(Registry& registry, GraphRole role = GraphRole::whole);
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph();

  /// Adds a node. Throws Failure if a dependency is not in this graph or occurs twice.
  Node& add(Work work, const std::vector<Dependency>& dependencies);
  void remove(Node& node);
  /// Adds a dependency. Throws Failure if there is one already, or if a node is not in this graph.
  void connect(Node& from, Node& to, const abi::EdgeData& data);
  /// Removes a dependency. Throws Failure if there is none.
  void disconnect(Node& from, Node& to);

  /// A copy with the given role.
  std::unique_ptr<Graph> clone(GraphRole role) const;
  /// The nodes in an order in which each follows its dependencies. Of the nodes that could be next,
  /// the one that was added first is next. Nodes on a cycle, and after one, are missing.
  std::vector<Node*> in_dependence_order() const;
  /// Calls a function for all nodes, including those of child graphs and conditional bodies.
  void for_each(const std::function<void(Node&)>& visit) const;

  const std::vector<std::unique_ptr<Node>>& nodes() const { return nodes_; }
  Registry& registry() const { return registry_; }
  GraphRole role() const { return role_; }
  /// Makes the graph a part of a node.
  void become_part() { role_ = GraphRole::part; }

  /// The result of in_dependence_order(), once a launch has computed it. Executed graphs keep their
  /// structure.
  std::vector<Node*> launch_order{};
  /// True for a body of a conditional node, which may not contain all types of nodes.
  bool is_body = false;
  std::vector<std::shared_ptr<Condition>> conditions{};
  UserObjectReferences user_objects{};

 private:
  Registry& registry_;
  GraphRole role_;
  std::vector<std::unique_ptr<Node>> nodes_;  ///< In order of creation.
};

/// Copies a node's work. Graphs that the node owns are copied, too, with the given role.
Work copy_of(const Work& work, GraphRole role);

}  // namespace heddle::cuda::graphs
