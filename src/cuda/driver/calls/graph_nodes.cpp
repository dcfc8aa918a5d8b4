// The driver's calls that add nodes to graphs. Each calls the runtime's function for nodes of any
// type.

#include "cuda/driver/call.h"
#include "cuda/driver/graph_parameters.h"
#include "cuda/runtime/graph_calls.h"

namespace heddle::cuda::driver {
namespace {

/// Where a program wants a new node.
struct NodePlace {
  abi::NodeHandle* node = nullptr;
  abi::GraphHandle graph = nullptr;
  const abi::NodeHandle* dependencies = nullptr;
  std::size_t count = 0;
};

/// Adds a node. `set` sets the details of its parameters.
template <class Set>
Result add_to_graph(const char* name, const NodePlace& place, abi::NodeType type, Set set) {
  return in_context(name, [&](Session& session) {
    abi::NodeParameters parameters{};
    parameters.type = type;
    set(session, parameters.details);
    require(cudaGraphAddNode(place.node, place.graph, place.dependencies, nullptr, place.count,
                             &parameters));
  });
}

using Details = decltype(abi::NodeParameters::details);

}  // namespace

HEDDLE_CUDA_EXPORT Result cuGraphAddNode_v2(abi::NodeHandle* node, abi::GraphHandle graph,
                                            const abi::NodeHandle* dependencies,
                                            const abi::EdgeData* data, std::size_t count,
                                            abi::DriverNodeParameters* requested) {
  return in_context("cuGraphAddNode", [&](Session& session) {
    abi::NodeParameters parameters = runtime_parameters(session, result_at(requested));
    require(cudaGraphAddNode(node, graph, dependencies, data, count, &parameters));
    return_results(parameters, *requested);
  });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                         const abi::NodeHandle* dependencies, std::size_t count,
                                         abi::DriverNodeParameters* parameters) {
  return cuGraphAddNode_v2(node, graph, dependencies, nullptr, count, parameters);
}

HEDDLE_CUDA_EXPORT Result cuGraphAddKernelNode_v2(abi::NodeHandle* node, abi::GraphHandle graph,
                                                  const abi::NodeHandle* dependencies,
                                                  std::size_t count,
                                                  const abi::DriverKernelNode* kernel) {
  return add_to_graph(
      "cuGraphAddKernelNode", {node, graph, dependencies, count}, abi::NodeType::kernel,
      [&](Session&, Details& details) { details.kernel = runtime_kernel(result_at(kernel)); });
}

/// The function before CUDA 12, whose structure ends earlier.
HEDDLE_CUDA_EXPORT Result cuGraphAddKernelNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                               const abi::NodeHandle* dependencies,
                                               std::size_t count, const abi::KernelNode* kernel) {
  return add_to_graph("cuGraphAddKernelNode", {node, graph, dependencies, count},
                      abi::NodeType::kernel,
                      [&](Session&, Details& details) { details.kernel = result_at(kernel); });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddMemcpyNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                               const abi::NodeHandle* dependencies,
                                               std::size_t count, const abi::DriverCopy3D* copy,
                                               abi::ContextHandle) {
  return add_to_graph("cuGraphAddMemcpyNode", {node, graph, dependencies, count},
                      abi::NodeType::copy, [&](Session& session, Details& details) {
                        details.copy.copy = runtime_copy(session, result_at(copy));
                      });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddMemsetNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                               const abi::NodeHandle* dependencies,
                                               std::size_t count, const abi::Fill* fill,
                                               abi::ContextHandle) {
  return add_to_graph("cuGraphAddMemsetNode", {node, graph, dependencies, count},
                      abi::NodeType::fill,
                      [&](Session&, Details& details) { details.fill = result_at(fill); });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddHostNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                             const abi::NodeHandle* dependencies, std::size_t count,
                                             const abi::HostNode* host) {
  return add_to_graph("cuGraphAddHostNode", {node, graph, dependencies, count}, abi::NodeType::host,
                      [&](Session&, Details& details) { details.host = result_at(host); });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddChildGraphNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                   const abi::NodeHandle* dependencies,
                                                   std::size_t count, abi::GraphHandle child) {
  return add_to_graph(
      "cuGraphAddChildGraphNode", {node, graph, dependencies, count}, abi::NodeType::child,
      [&](Session&, Details& details) { details.child = {.graph = child, .ownership = 0}; });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddEmptyNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                              const abi::NodeHandle* dependencies,
                                              std::size_t count) {
  return add_to_graph("cuGraphAddEmptyNode", {node, graph, dependencies, count},
                      abi::NodeType::empty, [](Session&, Details&) {});
}

HEDDLE_CUDA_EXPORT Result cuGraphAddEventRecordNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                    const abi::NodeHandle* dependencies,
                                                    std::size_t count, abi::EventHandle event) {
  return add_to_graph("cuGraphAddEventRecordNode", {node, graph, dependencies, count},
                      abi::NodeType::record_event,
                      [&](Session&, Details& details) { details.event = event; });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddEventWaitNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                  const abi::NodeHandle* dependencies,
                                                  std::size_t count, abi::EventHandle event) {
  return add_to_graph("cuGraphAddEventWaitNode", {node, graph, dependencies, count},
                      abi::NodeType::wait_event,
                      [&](Session&, Details& details) { details.event = event; });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddMemAllocNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                 const abi::NodeHandle* dependencies,
                                                 std::size_t count,
                                                 abi::AllocationNode* allocation) {
  return in_context("cuGraphAddMemAllocNode", [&](Session&) {
    abi::NodeParameters parameters{};
    parameters.type = abi::NodeType::allocate;
    parameters.details.allocation = result_at(allocation);
    require(cudaGraphAddNode(node, graph, dependencies, nullptr, count, &parameters));
    allocation->pointer = parameters.details.allocation.pointer;
  });
}

HEDDLE_CUDA_EXPORT Result cuGraphAddMemFreeNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                                const abi::NodeHandle* dependencies,
                                                std::size_t count, abi::DevicePointer address) {
  return add_to_graph("cuGraphAddMemFreeNode", {node, graph, dependencies, count},
                      abi::NodeType::free,
                      [&](Session&, Details& details) { details.freed = pointer_at(address); });
}

HEDDLE_CUDA_EXPORT Result cuGraphConditionalHandleCreate(abi::ConditionHandle* condition,
                                                         abi::GraphHandle graph, abi::ContextHandle,
                                                         unsigned default_value, unsigned flags) {
  return forward("cuGraphConditionalHandleCreate", &cudaGraphConditionalHandleCreate, condition,
                 graph, default_value, flags);
}

}  // namespace heddle::cuda::driver
