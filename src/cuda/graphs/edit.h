#pragma once

// What CUDA's calls do with graphs: functions that take a program's handles and parameters.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cuda/graphs/graph.h"
#include "cuda/runtime/row_copies.h"
#include "cuda/runtime/session.h"

namespace heddle::cuda::graphs {

/// The dependencies that a program lists. `data` may be null. Throws Failure for an invalid list.
std::vector<Dependency> dependencies_of(const Session& session, const abi::NodeHandle* nodes,
                                        const abi::EdgeData* data, std::size_t count);
/// Adds a node to a graph. Throws Failure if the graph may not contain such a node.
Node& add_node(Graph& graph, const std::vector<Dependency>& dependencies, Work work);
/// Replaces a node's work. Throws Failure if the new work has another type. The launch attributes
/// of a kernel remain.
void set_work(Node& node, Work work);
/// Removes a node from its graph.
void remove_node(Session& session, Node& node);
/// Called before a graph is destroyed: ends captures to it.
void forget(Captures& captures, const Graph& graph);

/// Creates the work of a child node. Throws Failure if the graph cannot be a child.
Work child_work(Session& session, const abi::ChildNode& parameters);
/// Creates the work of a conditional node of `graph`. Sets the results in `parameters`.
Work conditional_work(Session& session, const Graph& graph, abi::ConditionalNode& parameters);
/// Creates the work for parameters of any type. `graph` is the graph of the node. Sets the results
/// in `parameters`.
Work work_of(Session& session, const Graph& graph, abi::NodeParameters& parameters);

/// Creates new work for a node that has parameters of any type. Throws Failure for types whose
/// parameters cannot change.
Work changed_work_of(Session& session, const Graph& graph, abi::NodeParameters& parameters);
/// Creates the work of a copy of `bytes` bytes.
Work linear_copy_work(Session& session, const LinearPlace& to, const LinearPlace& from,
                      std::size_t bytes, abi::CopyKind kind);

/// The work of a node of a certain type. Throws Failure if the node has another type.
template <class Kind>
Kind& work_at(Node& node) {
  auto* const work = std::get_if<Kind>(&node.work);
  if (work == nullptr) throw Failure{Error::invalid_value};
  return *work;
}

/// Returns a list to a program: its length in `count` and, unless `to` is null, its elements. The
/// program passes the capacity of `to` in `count`; elements that remain are set to null.
template <class Element>
void report(const std::vector<Element>& elements, Element* to, std::size_t& count) {
  if (to == nullptr) {
    count = elements.size();
    return;
  }
  const std::size_t copied = std::min(count, elements.size());
  std::copy_n(elements.begin(), copied, to);
  std::fill(to + copied, to + count, Element{});
  count = copied;
}

/// Writes a graph in the language of Graphviz. `with_parameters` adds parameters to the nodes.
std::string to_dot(const Graph& graph, bool with_parameters);

}  // namespace heddle::cuda::graphs
