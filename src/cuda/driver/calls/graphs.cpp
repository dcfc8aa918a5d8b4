// The driver's calls for graphs and executable graphs. Each calls the runtime's function.

#include "cuda/driver/call.h"
#include "cuda/runtime/graph_calls.h"

namespace heddle::cuda::driver {

HEDDLE_CUDA_EXPORT Result cuGraphCreate(abi::GraphHandle* graph, unsigned flags) {
  return forward("cuGraphCreate", &cudaGraphCreate, graph, flags);
}

HEDDLE_CUDA_EXPORT Result cuGraphDestroy(abi::GraphHandle graph) {
  return forward("cuGraphDestroy", &cudaGraphDestroy, graph);
}

HEDDLE_CUDA_EXPORT Result cuGraphClone(abi::GraphHandle* clone, abi::GraphHandle graph) {
  return forward("cuGraphClone", &cudaGraphClone, clone, graph);
}

HEDDLE_CUDA_EXPORT Result cuGraphNodeFindInClone(abi::NodeHandle* node, abi::NodeHandle original,
                                                 abi::GraphHandle clone) {
  return forward("cuGraphNodeFindInClone", &cudaGraphNodeFindInClone, node, original, clone);
}

HEDDLE_CUDA_EXPORT Result cuGraphNodeGetType(abi::NodeHandle node, abi::NodeType* type) {
  return forward("cuGraphNodeGetType", &cudaGraphNodeGetType, node, type);
}

HEDDLE_CUDA_EXPORT Result cuGraphGetNodes(abi::GraphHandle graph, abi::NodeHandle* nodes,
                                          std::size_t* count) {
  return forward("cuGraphGetNodes", &cudaGraphGetNodes, graph, nodes, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphGetRootNodes(abi::GraphHandle graph, abi::NodeHandle* nodes,
                                              std::size_t* count) {
  return forward("cuGraphGetRootNodes", &cudaGraphGetRootNodes, graph, nodes, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphGetEdges_v2(abi::GraphHandle graph, abi::NodeHandle* from,
                                             abi::NodeHandle* to, abi::EdgeData* data,
                                             std::size_t* count) {
  return forward("cuGraphGetEdges", &cudaGraphGetEdges, graph, from, to, data, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphGetEdges(abi::GraphHandle graph, abi::NodeHandle* from,
                                          abi::NodeHandle* to, std::size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphNodeGetDependencies_v2(abi::NodeHandle node,
                                                        abi::NodeHandle* nodes, abi::EdgeData* data,
                                                        std::size_t* count) {
  return forward("cuGraphNodeGetDependencies", &cudaGraphNodeGetDependencies, node, nodes, data,
                 count);
}

HEDDLE_CUDA_EXPORT Result cuGraphNodeGetDependencies(abi::NodeHandle node, abi::NodeHandle* nodes,
                                                     std::size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, nodes, nullptr, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphNodeGetDependentNodes_v2(abi::NodeHandle node,
                                                          abi::NodeHandle* nodes,
                                                          abi::EdgeData* data, std::size_t* count) {
  return forward("cuGraphNodeGetDependentNodes", &cudaGraphNodeGetDependentNodes, node, nodes, data,
                 count);
}

HEDDLE_CUDA_EXPORT Result cuGraphNodeGetDependentNodes(abi::NodeHandle node, abi::NodeHandle* nodes,
                                                       std::size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, nodes, nullptr, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphAddDependencies_v2(abi::GraphHandle graph,
                                                    const abi::NodeHandle* from,
                                                    const abi::NodeHandle* to,
                                                    const abi::EdgeData* data, std::size_t count) {
  return forward("cuGraphAddDependencies", &cudaGraphAddDependencies, graph, from, to, data, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphAddDependencies(abi::GraphHandle graph,
                                                 const abi::NodeHandle* from,
                                                 const abi::NodeHandle* to, std::size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphRemoveDependencies_v2(abi::GraphHandle graph,
                                                       const abi::NodeHandle* from,
                                                       const abi::NodeHandle* to,
                                                       const abi::EdgeData* data,
                                                       std::size_t count) {
  return forward("cuGraphRemoveDependencies", &cudaGraphRemoveDependencies, graph, from, to, data,
                 count);
}

HEDDLE_CUDA_EXPORT Result cuGraphRemoveDependencies(abi::GraphHandle graph,
                                                    const abi::NodeHandle* from,
                                                    const abi::NodeHandle* to, std::size_t count) {
  return cuGraphRemoveDependencies_v2(graph, from, to, nullptr, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphDestroyNode(abi::NodeHandle node) {
  return forward("cuGraphDestroyNode", &cudaGraphDestroyNode, node);
}

HEDDLE_CUDA_EXPORT Result cuGraphDebugDotPrint(abi::GraphHandle graph, const char* file,
                                               unsigned flags) {
  return forward("cuGraphDebugDotPrint", &cudaGraphDebugDotPrint, graph, file, flags);
}

HEDDLE_CUDA_EXPORT Result cuGraphInstantiateWithFlags(abi::ExecutableHandle* executable,
                                                      abi::GraphHandle graph,
                                                      unsigned long long flags) {
  return forward("cuGraphInstantiate", &cudaGraphInstantiateWithFlags, executable, graph, flags);
}

/// The function before CUDA 12, which reports errors in other ways.
HEDDLE_CUDA_EXPORT Result cuGraphInstantiate_v2(abi::ExecutableHandle* executable,
                                                abi::GraphHandle graph, abi::NodeHandle* error_node,
                                                char* log, std::size_t log_bytes) {
  abi::InstantiateParameters parameters{};
  const Result result = forward("cuGraphInstantiate", &cudaGraphInstantiateWithParams, executable,
                                graph, &parameters);
  if (error_node != nullptr) *error_node = parameters.error_node;
  if (log != nullptr && log_bytes != 0) *log = '\0';
  return result;
}

HEDDLE_CUDA_EXPORT Result cuGraphInstantiateWithParams(abi::ExecutableHandle* executable,
                                                       abi::GraphHandle graph,
                                                       abi::InstantiateParameters* parameters) {
  return forward("cuGraphInstantiateWithParams", &cudaGraphInstantiateWithParams, executable, graph,
                 parameters);
}

HEDDLE_CUDA_EXPORT Result cuGraphExecDestroy(abi::ExecutableHandle executable) {
  return forward("cuGraphExecDestroy", &cudaGraphExecDestroy, executable);
}

HEDDLE_CUDA_EXPORT Result cuGraphExecGetFlags(abi::ExecutableHandle executable,
                                              unsigned long long* flags) {
  return forward("cuGraphExecGetFlags", &cudaGraphExecGetFlags, executable, flags);
}

HEDDLE_CUDA_EXPORT Result cuGraphNodeSetEnabled(abi::ExecutableHandle executable,
                                                abi::NodeHandle node, unsigned is_enabled) {
  return forward("cuGraphNodeSetEnabled", &cudaGraphNodeSetEnabled, executable, node, is_enabled);
}

HEDDLE_CUDA_EXPORT Result cuGraphNodeGetEnabled(abi::ExecutableHandle executable,
                                                abi::NodeHandle node, unsigned* is_enabled) {
  return forward("cuGraphNodeGetEnabled", &cudaGraphNodeGetEnabled, executable, node, is_enabled);
}

HEDDLE_CUDA_EXPORT Result cuGraphExecUpdate_v2(abi::ExecutableHandle executable,
                                               abi::GraphHandle graph, abi::UpdateInfo* info) {
  return forward("cuGraphExecUpdate", &cudaGraphExecUpdate, executable, graph, info);
}

/// The function before CUDA 12, which reports errors in other ways.
HEDDLE_CUDA_EXPORT Result cuGraphExecUpdate(abi::ExecutableHandle executable,
                                            abi::GraphHandle graph, abi::NodeHandle* error_node,
                                            abi::UpdateResult* update_result) {
  abi::UpdateInfo info{};
  const Result result = cuGraphExecUpdate_v2(executable, graph, &info);
  if (error_node != nullptr) *error_node = info.error_node;
  if (update_result != nullptr) *update_result = info.result;
  return result;
}

HEDDLE_CUDA_EXPORT Result cuGraphUpload(abi::ExecutableHandle executable,
                                        abi::StreamHandle stream) {
  return forward("cuGraphUpload", &cudaGraphUpload, executable, stream);
}

HEDDLE_CUDA_EXPORT Result cuGraphLaunch(abi::ExecutableHandle executable,
                                        abi::StreamHandle stream) {
  const Result result = in_context("cuGraphLaunch", [](Session&) {});
  if (result != Result::success) return result;
  // The session's mutex is not locked: the graph may call functions of the program.
  const DriverCallScope scope("cuGraphLaunch");
  return result_of(cudaGraphLaunch(executable, stream));
}

HEDDLE_CUDA_EXPORT Result cuDeviceGraphMemTrim(int device) {
  return forward("cuDeviceGraphMemTrim", &cudaDeviceGraphMemTrim, device);
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetGraphMemAttribute(int device, int attribute, void* value) {
  return forward("cuDeviceGetGraphMemAttribute", &cudaDeviceGetGraphMemAttribute, device, attribute,
                 value);
}

HEDDLE_CUDA_EXPORT Result cuDeviceSetGraphMemAttribute(int device, int attribute, void* value) {
  return forward("cuDeviceSetGraphMemAttribute", &cudaDeviceSetGraphMemAttribute, device, attribute,
                 value);
}

HEDDLE_CUDA_EXPORT Result cuUserObjectCreate(abi::UserObjectHandle* object, void* data,
                                             abi::HostFunction destroy, unsigned count,
                                             unsigned flags) {
  return forward("cuUserObjectCreate", &cudaUserObjectCreate, object, data, destroy, count, flags);
}

HEDDLE_CUDA_EXPORT Result cuUserObjectRetain(abi::UserObjectHandle object, unsigned count) {
  return forward("cuUserObjectRetain", &cudaUserObjectRetain, object, count);
}

HEDDLE_CUDA_EXPORT Result cuUserObjectRelease(abi::UserObjectHandle object, unsigned count) {
  return forward("cuUserObjectRelease", &cudaUserObjectRelease, object, count);
}

HEDDLE_CUDA_EXPORT Result cuGraphRetainUserObject(abi::GraphHandle graph,
                                                  abi::UserObjectHandle object, unsigned count,
                                                  unsigned flags) {
  return forward("cuGraphRetainUserObject", &cudaGraphRetainUserObject, graph, object, count,
                 flags);
}

HEDDLE_CUDA_EXPORT Result cuGraphReleaseUserObject(abi::GraphHandle graph,
                                                   abi::UserObjectHandle object, unsigned count) {
  return forward("cuGraphReleaseUserObject", &cudaGraphReleaseUserObject, graph, object, count);
}

}  // namespace heddle::cuda::driver
