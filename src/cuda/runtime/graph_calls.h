#pragma once

// The runtime's functions for graphs and stream capture that the driver's functions call, with
// CUDA's names and meaning.

#include <cstddef>

#include "cuda/graphs/abi.h"
#include "cuda/runtime/calls.h"

namespace heddle::cuda {

// NOLINTBEGIN(readability-identifier-naming)

// Stream capture.
HEDDLE_CUDA_EXPORT Error cudaStreamBeginCapture(abi::StreamHandle stream, abi::CaptureMode mode);
HEDDLE_CUDA_EXPORT Error cudaStreamBeginCaptureToGraph(abi::StreamHandle stream,
                                                       abi::GraphHandle graph,
                                                       const abi::NodeHandle* dependencies,
                                                       const abi::EdgeData* data, std::size_t count,
                                                       abi::CaptureMode mode);
HEDDLE_CUDA_EXPORT Error cudaStreamEndCapture(abi::StreamHandle stream, abi::GraphHandle* graph);
HEDDLE_CUDA_EXPORT Error cudaStreamGetCaptureInfo(abi::StreamHandle stream,
                                                  abi::CaptureStatus* status,
                                                  unsigned long long* id, abi::GraphHandle* graph,
                                                  const abi::NodeHandle** dependencies,
                                                  const abi::EdgeData** data, std::size_t* count);
HEDDLE_CUDA_EXPORT Error cudaStreamUpdateCaptureDependencies(abi::StreamHandle stream,
                                                             abi::NodeHandle* dependencies,
                                                             const abi::EdgeData* data,
                                                             std::size_t count, unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaThreadExchangeStreamCaptureMode(abi::CaptureMode* mode);

// Graphs.
HEDDLE_CUDA_EXPORT Error cudaGraphCreate(abi::GraphHandle* graph, unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaGraphDestroy(abi::GraphHandle graph);
HEDDLE_CUDA_EXPORT Error cudaGraphClone(abi::GraphHandle* clone, abi::GraphHandle graph);
HEDDLE_CUDA_EXPORT Error cudaGraphNodeFindInClone(abi::NodeHandle* node, abi::NodeHandle original,
                                                  abi::GraphHandle clone);
HEDDLE_CUDA_EXPORT Error cudaGraphNodeGetType(abi::NodeHandle node, abi::NodeType* type);
HEDDLE_CUDA_EXPORT Error cudaGraphGetNodes(abi::GraphHandle graph, abi::NodeHandle* nodes,
                                           std::size_t* count);
HEDDLE_CUDA_EXPORT Error cudaGraphGetRootNodes(abi::GraphHandle graph, abi::NodeHandle* nodes,
                                               std::size_t* count);
HEDDLE_CUDA_EXPORT Error cudaGraphGetEdges(abi::GraphHandle graph, abi::NodeHandle* from,
                                           abi::NodeHandle* to, abi::EdgeData* data,
                                           std::size_t* count);
HEDDLE_CUDA_EXPORT Error cudaGraphNodeGetDependencies(abi::NodeHandle node, abi::NodeHandle* nodes,
                                                      abi::EdgeData* data, std::size_t* count);
HEDDLE_CUDA_EXPORT Error cudaGraphNodeGetDependentNodes(abi::NodeHandle node,
                                                        abi::NodeHandle* nodes, abi::EdgeData* data,
                                                        std::size_t* count);
HEDDLE_CUDA_EXPORT Error cudaGraphAddDependencies(abi::GraphHandle graph,
                                                  const abi::NodeHandle* from,
                                                  const abi::NodeHandle* to,
                                                  const abi::EdgeData* data, std::size_t count);
HEDDLE_CUDA_EXPORT Error cudaGraphRemoveDependencies(abi::GraphHandle graph,
                                                     const abi::NodeHandle* from,
                                                     const abi::NodeHandle* to,
                                                     const abi::EdgeData* data, std::size_t count);
HEDDLE_CUDA_EXPORT Error cudaGraphDestroyNode(abi::NodeHandle node);
HEDDLE_CUDA_EXPORT Error cudaGraphDebugDotPrint(abi::GraphHandle graph, const char* file,
                                                unsigned flags);

// Nodes.
HEDDLE_CUDA_EXPORT Error cudaGraphAddNode(abi::NodeHandle* node, abi::GraphHandle graph,
                                          const abi::NodeHandle* dependencies,
                                          const abi::EdgeData* data, std::size_t count,
                                          abi::NodeParameters* parameters);
HEDDLE_CUDA_EXPORT Error cudaGraphNodeSetParams(abi::NodeHandle node,
                                                abi::NodeParameters* parameters);
HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeGetParams(abi::NodeHandle node,
                                                      abi::KernelNode* parameters);
HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeCopyAttributes(abi::NodeHandle to,
                                                           abi::NodeHandle from);
HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeGetAttribute(abi::NodeHandle node, int id, void* value);
HEDDLE_CUDA_EXPORT Error cudaGraphKernelNodeSetAttribute(abi::NodeHandle node, int id,
                                                         const void* value);
HEDDLE_CUDA_EXPORT Error cudaGraphMemcpyNodeGetParams(abi::NodeHandle node, abi::Copy3D* copy);
HEDDLE_CUDA_EXPORT Error cudaGraphMemsetNodeGetParams(abi::NodeHandle node, abi::Fill* fill);
HEDDLE_CUDA_EXPORT Error cudaGraphHostNodeGetParams(abi::NodeHandle node, abi::HostNode* host);
HEDDLE_CUDA_EXPORT Error cudaGraphChildGraphNodeGetGraph(abi::NodeHandle node,
                                                         abi::GraphHandle* graph);
HEDDLE_CUDA_EXPORT Error cudaGraphEventRecordNodeGetEvent(abi::NodeHandle node,
                                                          abi::EventHandle* event);
HEDDLE_CUDA_EXPORT Error cudaGraphEventWaitNodeGetEvent(abi::NodeHandle node,
                                                        abi::EventHandle* event);
HEDDLE_CUDA_EXPORT Error cudaGraphMemAllocNodeGetParams(abi::NodeHandle node,
                                                        abi::AllocationNode* parameters);
HEDDLE_CUDA_EXPORT Error cudaGraphMemFreeNodeGetParams(abi::NodeHandle node, void* pointer);
HEDDLE_CUDA_EXPORT Error cudaGraphConditionalHandleCreate(abi::ConditionHandle* condition,
                                                          abi::GraphHandle graph,
                                                          unsigned default_value, unsigned flags);

// Executable graphs.
HEDDLE_CUDA_EXPORT Error cudaGraphInstantiateWithFlags(abi::ExecutableHandle* executable,
                                                       abi::GraphHandle graph,
                                                       unsigned long long flags);
HEDDLE_CUDA_EXPORT Error cudaGraphInstantiateWithParams(abi::ExecutableHandle* executable,
                                                        abi::GraphHandle graph,
                                                        abi::InstantiateParameters* parameters);
HEDDLE_CUDA_EXPORT Error cudaGraphExecDestroy(abi::ExecutableHandle executable);
HEDDLE_CUDA_EXPORT Error cudaGraphExecGetFlags(abi::ExecutableHandle executable,
                                               unsigned long long* flags);
HEDDLE_CUDA_EXPORT Error cudaGraphExecNodeSetParams(abi::ExecutableHandle executable,
                                                    abi::NodeHandle node,
                                                    abi::NodeParameters* parameters);
HEDDLE_CUDA_EXPORT Error cudaGraphNodeSetEnabled(abi::ExecutableHandle executable,
                                                 abi::NodeHandle node, unsigned is_enabled);
HEDDLE_CUDA_EXPORT Error cudaGraphNodeGetEnabled(abi::ExecutableHandle executable,
                                                 abi::NodeHandle node, unsigned* is_enabled);
HEDDLE_CUDA_EXPORT Error cudaGraphExecUpdate(abi::ExecutableHandle executable,
                                             abi::GraphHandle graph, abi::UpdateInfo* info);
HEDDLE_CUDA_EXPORT Error cudaGraphUpload(abi::ExecutableHandle executable,
                                         abi::StreamHandle stream);
HEDDLE_CUDA_EXPORT Error cudaGraphLaunch(abi::ExecutableHandle executable,
                                         abi::StreamHandle stream);

// Memory of graphs, and user objects.
HEDDLE_CUDA_EXPORT Error cudaDeviceGraphMemTrim(int device);
HEDDLE_CUDA_EXPORT Error cudaDeviceGetGraphMemAttribute(int device, int attribute, void* value);
HEDDLE_CUDA_EXPORT Error cudaDeviceSetGraphMemAttribute(int device, int attribute, void* value);
HEDDLE_CUDA_EXPORT Error cudaUserObjectCreate(abi::UserObjectHandle* object, void* data,
                                              abi::HostFunction destroy, unsigned count,
                                              unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaUserObjectRetain(abi::UserObjectHandle object, unsigned count);
HEDDLE_CUDA_EXPORT Error cudaUserObjectRelease(abi::UserObjectHandle object, unsigned count);
HEDDLE_CUDA_EXPORT Error cudaGraphRetainUserObject(abi::GraphHandle graph,
                                                   abi::UserObjectHandle object, unsigned count,
                                                   unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaGraphReleaseUserObject(abi::GraphHandle graph,
                                                    abi::UserObjectHandle object, unsigned count);

// NOLINTEND(readability-identifier-naming)

}  // namespace heddle::cuda
