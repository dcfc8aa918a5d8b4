// The runtime's calls that query and change the parameters of nodes, in graphs and in executable
// graphs.

#include <cstring>

#include "cuda/runtime/graph_calls.h"
#include "cuda/runtime/node_changes.h"
#include "cuda/runtime/symbols.h"

namespace heddle::cuda {
namespace {

graphs::KernelWork& kernel_at(Session& session, abi::NodeHandle node) {
  return graphs::work_at<graphs::KernelWork>(session.graphs.registry.node(node));
}

/// The value of a launch attribute. CUDA's unions of values have this size.
constexpr std::size_t kValueBytes = sizeof(abi::LaunchAttribute{}.value);

/// Throws Failure for an attribute that Heddle's graphs do not support.
void check_attribute(int id) {
  constexpr int kAccessPolicyWindow = 1;  // For L2; Heddle ignores it.
  if (id != kAccessPolicyWindow && id != abi::kCooperativeAttribute &&
      id != abi::kPriorityAttribute) {
    throw Failure{Error::not_supported,
                  "Heddle does not support launch attribute " + std::to_string(id)};
  }
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaGraphNodeSetParams(abi::NodeHandle node,
                                                abi::NodeParameters* parameters) {
  return change_node("cudaGraphNodeSetParams", node, [&](Session& session) {
    return graphs::changed_work_of(session, *session.graphs.registry.node(node).graph,
                                   result_at(parameters));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecNodeSetParams(abi::ExecutableHandle executable,
                                                    abi::NodeHandle node,
                                                    abi::NodeParameters* parameters) {
  return change_node("cudaGraphExecNodeSetParams", executable, node, [&](Session& session) {
    return graphs::changed_work_of(session, *session.graphs.registry.node(node).graph,
                                   result_at(parameters));
  });
}

// Kernels.

HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeGetParams(abi::NodeHandle node,
                                                      abi::KernelNode* parameters) {
  return call("cudaGraphKernelNodeGetParams", [&](Session& session) {
    result_at(parameters) = graphs::parameters_of(kernel_at(session, node));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeSetParams(abi::NodeHandle node,
                                                      const abi::KernelNode* parameters) {
  return change_node("cudaGraphKernelNodeSetParams", node, [&](Session& session) {
    return graphs::kernel_work(session, result_at(parameters));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecKernelNodeSetParams(abi::ExecutableHandle executable,
                                                          abi::NodeHandle node,
                                                          const abi::KernelNode* parameters) {
  return change_node("cudaGraphExecKernelNodeSetParams", executable, node, [&](Session& session) {
    return graphs::kernel_work(session, result_at(parameters));
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeCopyAttributes(abi::NodeHandle to,
                                                           abi::NodeHandle from) {
  return call("cudaGraphKernelNodeCopyAttributes", [&](Session& session) {
    kernel_at(session, to).attributes = kernel_at(session, from).attributes;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeGetAttribute(abi::NodeHandle node, int id,
                                                         void* value) {
  return call("cudaGraphKernelNodeGetAttribute", [&](Session& session) {
    const auto& attributes = kernel_at(session, node).attributes;
    if (value == nullptr) throw Failure{Error::invalid_value};
    check_attribute(id);
    const auto found = attributes.find(id);
    if (found == attributes.end()) {
      std::memset(value, 0, kValueBytes);
    } else {
      std::memcpy(value, &found->second.value, kValueBytes);
    }
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeSetAttribute(abi::NodeHandle node, int id,
                                                         const void* value) {
  return call("cudaGraphKernelNodeSetAttribute", [&](Session& session) {
    auto& attributes = kernel_at(session, node).attributes;
    if (value == nullptr) throw Failure{Error::invalid_value};
    check_attribute(id);
    abi::LaunchAttribute& attribute = attributes[id];
    attribute.id = id;
    std::memcpy(&attribute.value, value, kValueBytes);
  });
}

// Copies.

HEDDLE_CUDA_EXPORT Error cudaGraphMemcpyNodeGetParams(abi::NodeHandle node, abi::Copy3D* copy) {
  return call("cudaGraphMemcpyNodeGetParams", [&](Session& session) {
    result_at(copy) = graphs::work_at<graphs::CopyWork>(session.graphs.registry.node(node)).copy;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphMemcpyNodeSetParams(abi::NodeHandle node,
                                                      const abi::Copy3D* copy) {
  return change_node("cudaGraphMemcpyNodeSetParams", node,
                     [&](Session& session) { return graphs::copy_work(session, result_at(copy)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecMemcpyNodeSetParams(abi::ExecutableHandle executable,
                                                          abi::NodeHandle node,
                                                          const abi::Copy3D* copy) {
  return change_node("cudaGraphExecMemcpyNodeSetParams", executable, node,
                     [&](Session& session) { return graphs::copy_work(session, result_at(copy)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphMemcpyNodeSetParams1D(abi::NodeHandle node, void* to,
                                                        const void* from, std::size_t bytes,
                                                        abi::CopyKind kind) {
  return change_node("cudaGraphMemcpyNodeSetParams1D", node, [&](Session& session) {
    return graphs::linear_copy_work(session, linear_place(to), linear_place(from), bytes, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecMemcpyNodeSetParams1D(abi::ExecutableHandle executable,
                                                            abi::NodeHandle node, void* to,
                                                            const void* from, std::size_t bytes,
                                                            abi::CopyKind kind) {
  return change_node("cudaGraphExecMemcpyNodeSetParams1D", executable, node, [&](Session& session) {
    return graphs::linear_copy_work(session, linear_place(to), linear_place(from), bytes, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphMemcpyNodeSetParamsToSymbol(abi::NodeHandle node,
                                                              const void* variable,
                                                              const void* from, std::size_t bytes,
                                                              std::size_t offset,
                                                              abi::CopyKind kind) {
  return change_node("cudaGraphMemcpyNodeSetParamsToSymbol", node, [&](Session& session) {
    return graphs::linear_copy_work(session, part_of(session, variable, bytes, offset),
                                    linear_place(from), bytes, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecMemcpyNodeSetParamsToSymbol(
    abi::ExecutableHandle executable, abi::NodeHandle node, const void* variable, const void* from,
    std::size_t bytes, std::size_t offset, abi::CopyKind kind) {
  return change_node(
      "cudaGraphExecMemcpyNodeSetParamsToSymbol", executable, node, [&](Session& session) {
        return graphs::linear_copy_work(session, part_of(session, variable, bytes, offset),
                                        linear_place(from), bytes, kind);
      });
}

HEDDLE_CUDA_EXPORT Error cudaGraphMemcpyNodeSetParamsFromSymbol(abi::NodeHandle node, void* to,
                                                                const void* variable,
                                                                std::size_t bytes,
                                                                std::size_t offset,
                                                                abi::CopyKind kind) {
  return change_node("cudaGraphMemcpyNodeSetParamsFromSymbol", node, [&](Session& session) {
    return graphs::linear_copy_work(session, linear_place(to),
                                    part_of(session, variable, bytes, offset), bytes, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    abi::ExecutableHandle executable, abi::NodeHandle node, void* to, const void* variable,
    std::size_t bytes, std::size_t offset, abi::CopyKind kind) {
  return change_node(
      "cudaGraphExecMemcpyNodeSetParamsFromSymbol", executable, node, [&](Session& session) {
        return graphs::linear_copy_work(session, linear_place(to),
                                        part_of(session, variable, bytes, offset), bytes, kind);
      });
}

}  // namespace heddle::cuda
