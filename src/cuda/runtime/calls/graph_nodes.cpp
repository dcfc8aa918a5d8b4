// The runtime's calls that add nodes to graphs.

#include "cuda/graphs/edit.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/graph_calls.h"
#include "cuda/runtime/symbols.h"

namespace heddle::cuda {
namespace {

using graphs::Graph;
using graphs::Work;

/// Where a program wants a new node.
struct NewNode {
  abi::NodeHandle* node = nullptr;
  abi::GraphHandle graph = nullptr;
  const abi::NodeHandle* dependencies = nullptr;
  std::size_t count = 0;
  const abi::EdgeData* data = nullptr;
};

/// Adds a node. `make_work` creates its work.
template <class MakeWork>
Error add_node(const char* name, const NewNode& request, MakeWork make_work) {
  return call(name, [&](Session& session) {
    abi::NodeHandle& result = result_at(request.node);
    Graph& graph = session.graphs.registry.graph(request.graph);
    const std::vector<graphs::Dependency> dependencies =
        graphs::dependencies_of(session, request.dependencies, request.data, request.count);
    result = graphs::handle_of(graphs::add_node(graph, dependencies, make_work(session, graph)));
  });
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaGraphAddNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                          const abi::NodeHandle* dependencies,
                                          const abi::EdgeData* data, std::size_t count,
                                          abi::NodeParameters* parameters) {
  return add_node("cudaGraphAddNode", {node, graph, dependencies, count, data},
                  [&](Session& session, const Graph& target) {
                    return graphs::work_of(session, target, result_at(parameters));
                  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddKernelNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                const abi::NodeHandle* dependencies,
                                                std::size_t count,
                                                const abi::KernelNode* parameters) {
  return add_node("cudaGraphAddKernelNode", {node, graph, dependencies, count},
                  [&](Session& session, const Graph&) {
                    return graphs::kernel_work(session, result_at(parameters));
                  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddMemcpyNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                const abi::NodeHandle* dependencies,
                                                std::size_t count, const abi::Copy3D* copy) {
  return add_node(
      "cudaGraphAddMemcpyNode", {node, graph, dependencies, count},
      [&](Session& session, const Graph&) { return graphs::copy_work(session, result_at(copy)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddMemcpyNode1D(abi::NodeHandle* node, abi::GraphHandle graph,
                                                  const abi::NodeHandle* dependencies,
                                                  std::size_t count, void* to, const void* from,
                                                  std::size_t bytes, abi::CopyKind kind) {
  return add_node("cudaGraphAddMemcpyNode1D", {node, graph, dependencies, count},
                  [&](Session& session, const Graph&) {
                    return graphs::linear_copy_work(session, linear_place(to), linear_place(from),
                                                    bytes, kind);
                  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddMemcpyNodeToSymbol(abi::NodeHandle* node,
                                                        abi::GraphHandle graph,
                                                        const abi::NodeHandle* dependencies,
                                                        std::size_t count, const void* variable,
                                                        const void* from, std::size_t bytes,
                                                        std::size_t offset, abi::CopyKind kind) {
  return add_node("cudaGraphAddMemcpyNodeToSymbol", {node, graph, dependencies, count},
                  [&](Session& session, const Graph&) {
                    return graphs::linear_copy_work(session,
                                                    part_of(session, variable, bytes, offset),
                                                    linear_place(from), bytes, kind);
                  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddMemcpyNodeFromSymbol(abi::NodeHandle* node,
                                                          abi::GraphHandle graph,
                                                          const abi::NodeHandle* dependencies,
                                                          std::size_t count, void* to,
                                                          const void* variable, std::size_t bytes,
                                                          std::size_t offset, abi::CopyKind kind) {
  return add_node("cudaGraphAddMemcpyNodeFromSymbol", {node, graph, dependencies, count},
                  [&](Session& session, const Graph&) {
                    return graphs::linear_copy_work(session, linear_place(to),
                                                    part_of(session, variable, bytes, offset),
                                                    bytes, kind);
                  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddMemsetNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                const abi::NodeHandle* dependencies,
                                                std::size_t count, const abi::Fill* fill) {
  return add_node("cudaGraphAddMemsetNode", {node, graph, dependencies, count},
                  [&](Session&, const Graph&) { return graphs::fill_work(result_at(fill)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddHostNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                              const abi::NodeHandle* dependencies,
                                              std::size_t count, const abi::HostNode* host) {
  return add_node("cudaGraphAddHostNode", {node, graph, dependencies, count},
                  [&](Session&, const Graph&) { return graphs::host_work(result_at(host)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddChildGraphNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                    const abi::NodeHandle* dependencies,
                                                    std::size_t count, abi::GraphHandle child) {
  return add_node("cudaGraphAddChildGraphNode", {node, graph, dependencies, count},
                  [&](Session& session, const Graph&) {
                    return graphs::child_work(session, {.graph = child, .ownership = 0});
                  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddEmptyNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                               const abi::NodeHandle* dependencies,
                                               std::size_t count) {
  return add_node("cudaGraphAddEmptyNode", {node, graph, dependencies, count},
                  [&](Session&, const Graph&) { return graphs::EmptyWork{}; });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddEventRecordNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                     const abi::NodeHandle* dependencies,
                                                     std::size_t count, abi::EventHandle event) {
  return add_node(
      "cudaGraphAddEventRecordNode", {node, graph, dependencies, count},
      [&](Session& session, const Graph&) { return graphs::record_work(session, event); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddEventWaitNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                   const abi::NodeHandle* dependencies,
                                                   std::size_t count, abi::EventHandle event) {
  return add_node(
      "cudaGraphAddEventWaitNode", {node, graph, dependencies, count},
      [&](Session& session, const Graph&) { return graphs::wait_work(session, event); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddMemAllocNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                  const abi::NodeHandle* dependencies,
                                                  std::size_t count,
                                                  abi::AllocationNode* parameters) {
  return add_node("cudaGraphAddMemAllocNode", {node, graph, dependencies, count},
                  [&](Session& session, const Graph&) {
                    return graphs::allocate_work(session, result_at(parameters));
                  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphAddMemFreeNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                 const abi::NodeHandle* dependencies,
                                                 std::size_t count, void* pointer) {
  return add_node(
      "cudaGraphAddMemFreeNode", {node, graph, dependencies, count},
      [&](Session& session, const Graph&) { return graphs::free_work(session, pointer); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphConditionalHandleCreate(abi::ConditionHandle* condition,
                                                          abi::GraphHandle graph,
                                                          unsigned default_value, unsigned flags) {
  return call("cudaGraphConditionalHandleCreate", [&](Session& session) {
    constexpr unsigned kAssignDefault = 1;
    Graph& owner = session.graphs.registry.graph(graph);
    abi::ConditionHandle& result = result_at(condition);
    if (flags > kAssignDefault) throw Failure{Error::invalid_value};
    owner.conditions.push_back(
        graphs::make_condition(session, default_value, flags == kAssignDefault));
    result = owner.conditions.back()->address;
  });
}

}  // namespace heddle::cuda
