// The runtime's calls for the structure of graphs.

#include <fstream>

#include "cuda/graphs/edit.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/graph_calls.h"

namespace heddle::cuda {
namespace {

using graphs::Dependency;
using graphs::Graph;
using graphs::handle_of;
using graphs::Node;

std::vector<abi::NodeHandle> handles_of(const std::vector<Dependency>& dependencies) {
  std::vector<abi::NodeHandle> handles;
  for (const Dependency& dependency : dependencies) handles.push_back(handle_of(*dependency.on));
  return handles;
}

std::vector<abi::EdgeData> data_of(const std::vector<Dependency>& dependencies) {
  std::vector<abi::EdgeData> data;
  for (const Dependency& dependency : dependencies) data.push_back(dependency.data);
  return data;
}

/// Returns the nodes of dependencies, and their data, to a program.
void report_edges(const std::vector<Dependency>& dependencies, abi::NodeHandle* nodes,
                  abi::EdgeData* data, std::size_t* count) {
  std::size_t& number = result_at(count);
  if (data != nullptr && nodes != nullptr) {
    std::size_t capacity = number;
    graphs::report(data_of(dependencies), data, capacity);
  }
  graphs::report(handles_of(dependencies), nodes, number);
}

/// Calls `change` for each pair of nodes that a program lists.
template <class Change>
void for_each_edge(Session& session, const abi::NodeHandle* from, const abi::NodeHandle* to,
                   const abi::EdgeData* data, std::size_t count, Change change) {
  const std::vector<Dependency> sources = graphs::dependencies_of(session, from, data, count);
  const std::vector<Dependency> targets = graphs::dependencies_of(session, to, nullptr, count);
  for (std::size_t i = 0; i < count; ++i) change(sources[i], *targets[i].on);
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaGraphCreate(abi::GraphHandle* graph, unsigned flags) {
  return call("cudaGraphCreate", [&](Session& session) {
    if (flags != 0) throw Failure{Error::invalid_value};
    abi::GraphHandle& result = result_at(graph);
    result = session.graphs.add(std::make_unique<Graph>(session.graphs.registry));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphDestroy(abi::GraphHandle graph) {
  return call("cudaGraphDestroy", [&](Session& session) {
    const Graph& object = session.graphs.registry.graph(graph);
    const auto found = session.graphs.graphs.find(&object);
    if (found == session.graphs.graphs.end()) throw Failure{Error::invalid_value};
    graphs::forget(session.graphs.captures, object);
    session.graphs.graphs.erase(found);
    session.graphs.forget_user_objects();
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphClone(abi::GraphHandle* clone, abi::GraphHandle graph) {
  return call("cudaGraphClone", [&](Session& session) {
    const Graph& object = session.graphs.registry.graph(graph);
    abi::GraphHandle& result = result_at(clone);
    // CUDA does not copy graphs with conditional nodes.
    object.for_each([](const Node& node) {
      if (graphs::type_of(node.work) == abi::NodeType::conditional) {
        throw Failure{Error::invalid_value};
      }
    });
    result = session.graphs.add(object.clone(graphs::GraphRole::whole));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphNodeFindInClone(abi::NodeHandle* node, abi::NodeHandle original,
                                                  abi::GraphHandle clone) {
  return call("cudaGraphNodeFindInClone", [&](Session& session) {
    const std::uint64_t id = session.graphs.registry.node(original).id;
    abi::NodeHandle& result = result_at(node);
    for (const auto& candidate : session.graphs.registry.graph(clone).nodes()) {
      if (candidate->cloned_id != id) continue;
      result = handle_of(*candidate);
      return;
    }
    throw Failure{Error::invalid_value};
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphNodeGetType(abi::NodeHandle node, abi::NodeType* type) {
  return call("cudaGraphNodeGetType", [&](Session& session) {
    result_at(type) = graphs::type_of(session.graphs.registry.node(node).work);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphGetNodes(abi::GraphHandle graph, abi::NodeHandle* nodes,
                                           std::size_t* count) {
  return call("cudaGraphGetNodes", [&](Session& session) {
    std::vector<abi::NodeHandle> handles;
    for (const auto& node : session.graphs.registry.graph(graph).nodes()) {
      handles.push_back(handle_of(*node));
    }
    graphs::report(handles, nodes, result_at(count));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphGetRootNodes(abi::GraphHandle graph, abi::NodeHandle* nodes,
                                               std::size_t* count) {
  return call("cudaGraphGetRootNodes", [&](Session& session) {
    std::vector<abi::NodeHandle> handles;
    for (const auto& node : session.graphs.registry.graph(graph).nodes()) {
      if (node->dependencies.empty()) handles.push_back(handle_of(*node));
    }
    graphs::report(handles, nodes, result_at(count));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphGetEdges(abi::GraphHandle graph, abi::NodeHandle* from,
                                           abi::NodeHandle* to, abi::EdgeData* data,
                                           std::size_t* count) {
  return call("cudaGraphGetEdges", [&](Session& session) {
    std::size_t& number = result_at(count);
    if ((from == nullptr) != (to == nullptr)) throw Failure{Error::invalid_value};
    std::vector<Dependency> sources;
    std::vector<abi::NodeHandle> targets;
    for (const auto& node : session.graphs.registry.graph(graph).nodes()) {
      for (const Dependency& dependency : node->dependencies) {
        sources.push_back(dependency);
        targets.push_back(handle_of(*node));
      }
    }
    std::size_t capacity = number;
    graphs::report(targets, to, capacity);
    report_edges(sources, from, data, count);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphNodeGetDependencies(abi::NodeHandle node, abi::NodeHandle* nodes,
                                                      abi::EdgeData* data, std::size_t* count) {
  return call("cudaGraphNodeGetDependencies", [&](Session& session) {
    report_edges(session.graphs.registry.node(node).dependencies, nodes, data, count);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphNodeGetDependentNodes(abi::NodeHandle node,
                                                        abi::NodeHandle* nodes, abi::EdgeData* data,
                                                        std::size_t* count) {
  return call("cudaGraphNodeGetDependentNodes", [&](Session& session) {
    report_edges(session.graphs.registry.node(node).dependents, nodes, data, count);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddDependencies(abi::GraphHandle graph,
                                                  const abi::NodeHandle* from,
                                                  const abi::NodeHandle* to,
                                                  const abi::EdgeData* data, std::size_t count) {
  return call("cudaGraphAddDependencies", [&](Session& session) {
    Graph& object = session.graphs.registry.graph(graph);
    for_each_edge(session, from, to, data, count, [&](const Dependency& source, Node& target) {
      object.connect(*source.on, target, source.data);
    });
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphRemoveDependencies(abi::GraphHandle graph,
                                                     const abi::NodeHandle* from,
                                                     const abi::NodeHandle* to,
                                                     const abi::EdgeData* data, std::size_t count) {
  return call("cudaGraphRemoveDependencies", [&](Session& session) {
    Graph& object = session.graphs.registry.graph(graph);
    for_each_edge(session, from, to, data, count, [&](const Dependency& source, Node& target) {
      object.disconnect(*source.on, target);
    });
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphDestroyNode(abi::NodeHandle node) {
  return call("cudaGraphDestroyNode", [&](Session& session) {
    graphs::remove_node(session, session.graphs.registry.node(node));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphDebugDotPrint(abi::GraphHandle graph, const char* file,
                                                unsigned flags) {
  return call("cudaGraphDebugDotPrint", [&](Session& session) {
    const Graph& object = session.graphs.registry.graph(graph);
    if (file == nullptr) throw Failure{Error::invalid_value};
    std::ofstream output(file);
    output << graphs::to_dot(object, flags != 0);
    if (!output.flush()) {
      throw Failure{Error::os_call, std::string("cannot write ") + file};
    }
  });
}

}  // namespace heddle::cuda
