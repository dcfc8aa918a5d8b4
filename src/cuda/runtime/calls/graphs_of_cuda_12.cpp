// The functions for graphs in programs built for CUDA 12, where they differ from CUDA 13's: they
// have no data of dependencies. cuda_12.def lists their names in such programs.

#include "cuda/runtime/graph_calls.h"

/// Marks a function that is not exported under its own name, but under a name in cuda_12.def.
#define HEDDLE_CUDA_12_GRAPHS extern "C" __attribute__((visibility("hidden"), used))

namespace heddle::cuda {

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_add_dependencies(abi::GraphHandle graph,
                                                            const abi::NodeHandle* from,
                                                            const abi::NodeHandle* to,
                                                            std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_remove_dependencies(abi::GraphHandle graph,
                                                               const abi::NodeHandle* from,
                                                               const abi::NodeHandle* to,
                                                               std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_edges(abi::GraphHandle graph, abi::NodeHandle* from,
                                                 abi::NodeHandle* to, std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_node_dependencies(abi::NodeHandle node,
                                                             abi::NodeHandle* nodes,
                                                             std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, nodes, nullptr, count);
}

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_dependent_nodes(abi::NodeHandle node,
                                                           abi::NodeHandle* nodes,
                                                           std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, nodes, nullptr, count);
}

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_add_node(abi::NodeHandle* node, abi::GraphHandle graph,
                                                    const abi::NodeHandle* dependencies,
                                                    std::size_t count,
                                                    abi::NodeParameters* parameters) {
  return cudaGraphAddNode(node, graph, dependencies, nullptr, count, parameters);
}

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_capture_info_v2(
    abi::StreamHandle stream, abi::CaptureStatus* status, unsigned long long* id,
    abi::GraphHandle* graph, const abi::NodeHandle** dependencies, std::size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, nullptr, count);
}

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_capture_info(abi::StreamHandle stream,
                                                        abi::CaptureStatus* status,
                                                        unsigned long long* id) {
  return cudaStreamGetCaptureInfo(stream, status, id, nullptr, nullptr, nullptr, nullptr);
}

HEDDLE_CUDA_12_GRAPHS Error heddle_cuda_12_update_capture(abi::StreamHandle stream,
                                                          abi::NodeHandle* dependencies,
                                                          std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags);
}

}  // namespace heddle::cuda
