// The driver's calls that query and change the parameters of nodes, in graphs and in executable
// graphs.

#include "cuda/driver/graph_parameters.h"

#include "cuda/driver/call.h"
#include "cuda/runtime/graph_calls.h"

namespace heddle::cuda::driver {
namespace {

using ChangedDetails = decltype(abi::NodeParameters::details);

/// Changes a node of a graph. `set` sets the details of its new parameters.
template <class Set>
Result change(const char* name, abi::NodeHandle node, abi::NodeType type, Set set) {
  return in_context(name, [&](Session& session) {
    abi::NodeParameters parameters{};
    parameters.type = type;
    set(session, parameters.details);
    require(cudaGraphNodeSetParams(node, &parameters));
  });
}

/// Changes a node of an executable graph.
template <class Set>
Result change(const char* name, abi::ExecutableHandle executable, abi::NodeHandle node,
              abi::NodeType type, Set set) {
  return in_context(name, [&](Session& session) {
    abi::NodeParameters parameters{};
    parameters.type = type;
    set(session, parameters.details);
    require(cudaGraphExecNodeSetParams(executable, node, &parameters));
  });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuGraphNodeSetParams(abi::NodeHandle node,
                                               abi::DriverNodeParameters* requested) {
  return in_context("cuGraphNodeSetParams", [&](Session& session) {
    abi::NodeParameters parameters = runtime_parameters(session, result_at(requested));
    require(cudaGraphNodeSetParams(node, &parameters));
  });
}

HEDDLE_CUDA_EXPORT Result cuGraphExecNodeSetParams(abi::ExecutableHandle executable,
                                                   abi::NodeHandle node,
                                                   abi::DriverNodeParameters* requested) {
  return in_context("cuGraphExecNodeSetParams", [&](Session& session) {
    abi::NodeParameters parameters = runtime_parameters(session, result_at(requested));
    require(cudaGraphExecNodeSetParams(executable, node, &parameters));
  });
}

// Kernels. The functions without a version are those before CUDA 12.

HEDDLE_CUDA_EXPORT Result cuGraphKernelNodeGetParams(abi::NodeHandle node,
                                                     abi::KernelNode* kernel) {
  return forward("cuGraphKernelNodeGetParams", &cudaGraphKernelNodeGetParams, node, kernel);
}

HEDDLE_CUDA_EXPORT Result cuGraphKernelNodeGetParams_v2(abi::NodeHandle node,
                                                        abi::DriverKernelNode* kernel) {
  return in_context("cuGraphKernelNodeGetParams", [&](Session&) {
    abi::KernelNode found{};
    require(cudaGraphKernelNodeGetParams(node, &found));
    result_at(kernel) = driver_kernel(found);
  });
}

HEDDLE_CUDA_EXPORT Result cuGraphKernelNodeSetParams(abi::NodeHandle node,
                                                     const abi::KernelNode* kernel) {
  return change("cuGraphKernelNodeSetParams", node, abi::NodeType::kernel,
                [&](Session&, ChangedDetails& details) { details.kernel = result_at(kernel); });
}

HEDDLE_CUDA_EXPORT Result cuGraphKernelNodeSetParams_v2(abi::NodeHandle node,
                                                        const abi::DriverKernelNode* kernel) {
  return change("cuGraphKernelNodeSetParams", node, abi::NodeType::kernel,
                [&](Session&, ChangedDetails& details) {
                  details.kernel = runtime_kernel(result_at(kernel));
                });
}

HEDDLE_CUDA_EXPORT Result cuGraphExecKernelNodeSetParams(abi::ExecutableHandle executable,
                                                         abi::NodeHandle node,
                                                         const abi::KernelNode* kernel) {
  return change("cuGraphExecKernelNodeSetParams", executable, node, abi::NodeType::kernel,
                [&](Session&, ChangedDetails& details) { details.kernel = result_at(kernel); });
}

HEDDLE_CUDA_EXPORT Result cuGraphExecKernelNodeSetParams_v2(abi::ExecutableHandle executable,
                                                            abi::NodeHandle node,
                                                            const abi::DriverKernelNode* kernel) {
  return change("cuGraphExecKernelNodeSetParams", executable, node, abi::NodeType::kernel,
                [&](Session&, ChangedDetails& details) {
                  details.kernel = runtime_kernel(result_at(kernel));
                });
}

HEDDLE_CUDA_EXPORT Result cuGraphKernelNodeCopyAttributes(abi::NodeHandle to,
                                                          abi::NodeHandle from) {
  return forward("cuGraphKernelNodeCopyAttributes", &cudaGraphKernelNodeCopyAttributes, to, from);
}

HEDDLE_CUDA_EXPORT Result cuGraphKernelNodeGetAttribute(abi::NodeHandle node, int id, void* value) {
  return forward("cuGraphKernelNodeGetAttribute", &cudaGraphKernelNodeGetAttribute, node, id,
                 value);
}

HEDDLE_CUDA_EXPORT Result cuGraphKernelNodeSetAttribute(abi::NodeHandle node, int id,
                                                        const void* value) {
  return forward("cuGraphKernelNodeSetAttribute", &cudaGraphKernelNodeSetAttribute, node, id,
                 value);
}

// Copies and fills.

HEDDLE_CUDA_EXPORT Result cuGraphMemcpyNodeGetParams(abi::NodeHandle node,
                                                     abi::DriverCopy3D* copy) {
  return in_context("cuGraphMemcpyNodeGetParams", [&](Session& session) {
    abi::Copy3D found{};
    require(cudaGraphMemcpyNodeGetParams(node, &found));
    result_at(copy) = driver_copy(session, found);
  });
}

HEDDLE_CUDA_EXPORT Result cuGraphMemcpyNodeSetParams(abi::NodeHandle node,
                                                     const abi::DriverCopy3D* copy) {
  return change("cuGraphMemcpyNodeSetParams", node, abi::NodeType::copy,
                [&](Session& session, ChangedDetails& details) {
                  details.copy.copy = runtime_copy(session, result_at(copy));
                });
}

HEDDLE_CUDA_EXPORT Result cuGraphExecMemcpyNodeSetParams(abi::ExecutableHandle executable,
                                                         abi::NodeHandle node,
                                                         const abi::DriverCopy3D* copy,
                                                         abi::ContextHandle) {
  return change("cuGraphExecMemcpyNodeSetParams", executable, node, abi::NodeType::copy,
                [&](Session& session, ChangedDetails& details) {
                  details.copy.copy = runtime_copy(session, result_at(copy));
                });
}

HEDDLE_CUDA_EXPORT Result cuGraphMemsetNodeGetParams(abi::NodeHandle node, abi::Fill* fill) {
  return forward("cuGraphMemsetNodeGetParams", &cudaGraphMemsetNodeGetParams, node, fill);
}

HEDDLE_CUDA_EXPORT Result cuGraphMemsetNodeSetParams(abi::NodeHandle node, const abi::Fill* fill) {
  return change("cuGraphMemsetNodeSetParams", node, abi::NodeType::fill,
                [&](Session&, ChangedDetails& details) { details.fill = result_at(fill); });
}

HEDDLE_CUDA_EXPORT Result cuGraphExecMemsetNodeSetParams(abi::ExecutableHandle executable,
                                                         abi::NodeHandle node,
                                                         const abi::Fill* fill,
                                                         abi::ContextHandle) {
  return change("cuGraphExecMemsetNodeSetParams", executable, node, abi::NodeType::fill,
                [&](Session&, ChangedDetails& details) { details.fill = result_at(fill); });
}

// Other nodes.

HEDDLE_CUDA_EXPORT Result cuGraphHostNodeGetParams(abi::NodeHandle node, abi::HostNode* host) {
  return forward("cuGraphHostNodeGetParams", &cudaGraphHostNodeGetParams, node, host);
}

HEDDLE_CUDA_EXPORT Result cuGraphHostNodeSetParams(abi::NodeHandle node,
                                                   const abi::HostNode* host) {
  return change("cuGraphHostNodeSetParams", node, abi::NodeType::host,
                [&](Session&, ChangedDetails& details) { details.host = result_at(host); });
}

HEDDLE_CUDA_EXPORT Result cuGraphExecHostNodeSetParams(abi::ExecutableHandle executable,
                                                       abi::NodeHandle node,
                                                       const abi::HostNode* host) {
  return change("cuGraphExecHostNodeSetParams", executable, node, abi::NodeType::host,
                [&](Session&, ChangedDetails& details) { details.host = result_at(host); });
}

HEDDLE_CUDA_EXPORT Result cuGraphChildGraphNodeGetGraph(abi::NodeHandle node,
                                                        abi::GraphHandle* graph) {
  return forward("cuGraphChildGraphNodeGetGraph", &cudaGraphChildGraphNodeGetGraph, node, graph);
}

HEDDLE_CUDA_EXPORT Result cuGraphExecChildGraphNodeSetParams(abi::ExecutableHandle executable,
                                                             abi::NodeHandle node,
                                                             abi::GraphHandle child) {
  return change(
      "cuGraphExecChildGraphNodeSetParams", executable, node, abi::NodeType::child,
      [&](Session&, ChangedDetails& details) { details.child = {.graph = child, .ownership = 0}; });
}

#define HEDDLE_EVENT_NODE(name, type)                                                            \
  HEDDLE_CUDA_EXPORT Result cuGraph##name##NodeGetEvent(abi::NodeHandle node,                    \
                                                        abi::EventHandle* event) {               \
    return forward("cuGraph" #name "NodeGetEvent", &cudaGraph##name##NodeGetEvent, node, event); \
  }                                                                                              \
  HEDDLE_CUDA_EXPORT Result cuGraph##name##NodeSetEvent(abi::NodeHandle node,                    \
                                                        abi::EventHandle event) {                \
    return change("cuGraph" #name "NodeSetEvent", node, abi::NodeType::type,                     \
                  [&](Session&, ChangedDetails& details) { details.event = event; });            \
  }                                                                                              \
  HEDDLE_CUDA_EXPORT Result cuGraphExec##name##NodeSetEvent(                                     \
      abi::ExecutableHandle executable, abi::NodeHandle node, abi::EventHandle event) {          \
    return change("cuGraphExec" #name "NodeSetEvent", executable, node, abi::NodeType::type,     \
                  [&](Session&, ChangedDetails& details) { details.event = event; });            \
  }
HEDDLE_EVENT_NODE(EventRecord, record_event)
HEDDLE_EVENT_NODE(EventWait, wait_event)

HEDDLE_CUDA_EXPORT Result cuGraphMemAllocNodeGetParams(abi::NodeHandle node,
                                                       abi::AllocationNode* parameters) {
  return forward("cuGraphMemAllocNodeGetParams", &cudaGraphMemAllocNodeGetParams, node, parameters);
}

HEDDLE_CUDA_EXPORT Result cuGraphMemFreeNodeGetParams(abi::NodeHandle node,
                                                      abi::DevicePointer* address) {
  return forward("cuGraphMemFreeNodeGetParams", &cudaGraphMemFreeNodeGetParams, node, address);
}

}  // namespace heddle::cuda::driver
