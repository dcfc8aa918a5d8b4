#pragma once

// The types of CUDA 13's calls for graphs, with CUDA's layout and numbers, but Heddle's names.
// tests/cuda/abi compares sizes and offsets with CUDA's headers where these are installed.

#include <cstddef>
#include <cstdint>

#include "cuda/runtime/abi.h"

namespace heddle::cuda::abi {

using GraphHandle = struct OpaqueGraph*;
using NodeHandle = struct OpaqueNode*;
using ExecutableHandle = struct OpaqueExecutable*;
using UserObjectHandle = struct OpaqueUserObject*;
using ConditionHandle = std::uint64_t;

/// cudaGraphNodeType.
enum class NodeType : int {
  kernel = 0,
  copy = 1,
  fill = 2,
  host = 3,
  child = 4,
  empty = 5,
  wait_event = 6,
  record_event = 7,
  allocate = 10,
  free = 11,
  conditional = 13,
};

/// cudaStreamCaptureMode.
enum class CaptureMode : int { global = 0, thread_local_only = 1, relaxed = 2 };
/// cudaStreamCaptureStatus.
enum class CaptureStatus : int { none = 0, active = 1, invalidated = 2 };

/// cudaGraphEdgeData.
struct EdgeData {
  std::uint8_t from_port;
  std::uint8_t to_port;
  std::uint8_t type;
  std::uint8_t reserved[5];
};

/// cudaKernelNodeParams. CUDA_KERNEL_NODE_PARAMS begins with the same fields.
struct KernelNode {
  const void* function;
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes;
  void** arguments;
  void** extra;
};

/// cudaMemsetParams. CUDA_MEMSET_NODE_PARAMS begins with the same fields.
struct Fill {
  void* to;
  std::size_t pitch;
  std::uint32_t value;
  std::uint32_t element_bytes;
  std::size_t width;  ///< In elements.
  std::size_t height;
};

/// cudaHostNodeParams.
struct HostNode {
  HostFunction function;
  void* data;
};

/// cudaMemcpyNodeParams.
struct CopyNode {
  int flags;
  int reserved[3];
  Copy3D copy;
};

/// cudaChildGraphNodeParams.
struct ChildNode {
  GraphHandle graph;
  int ownership;  ///< 0: the node gets a copy of the graph; 1: the graph becomes part of the node.
};

/// cudaMemAllocNodeParams.
struct AllocationNode {
  PoolProperties pool;
  const MemoryAccess* accesses;
  std::size_t access_count;
  std::size_t bytes;
  void* pointer;  ///< A result.
};

/// cudaGraphConditionalNodeType.
enum class ConditionalKind : int { if_else = 0, while_loop = 1, switch_case = 2 };

/// cudaConditionalNodeParams. The driver's structure has a context at its end.
struct ConditionalNode {
  ConditionHandle condition;
  ConditionalKind kind;
  std::uint32_t size;
  GraphHandle* bodies;  ///< A result.
};

/// cudaGraphNodeParams.
struct NodeParameters {
  NodeType type;
  int reserved[3];
  union {
    long long padding[29];
    KernelNode kernel;
    CopyNode copy;
    Fill fill;
    HostNode host;
    ChildNode child;
    EventHandle event;
    AllocationNode allocation;
    void* freed;
    ConditionalNode conditional;
  } details;
  long long reserved_end;
};

/// cudaGraphInstantiateResult.
enum class InstantiateResult : int {
  success = 0,
  error = 1,
  invalid_structure = 2,
  operation_not_supported = 3,
  condition_unused = 5,
};

/// cudaGraphInstantiateParams.
struct InstantiateParameters {
  unsigned long long flags;
  StreamHandle upload_stream;
  NodeHandle error_node;
  InstantiateResult result;
};
// Flags of cudaGraphInstantiate.
inline constexpr unsigned long long kAutoFree = 1;
inline constexpr unsigned long long kUpload = 2;
inline constexpr unsigned long long kDeviceLaunch = 4;
inline constexpr unsigned long long kUseNodePriority = 8;

/// cudaGraphExecUpdateResult.
enum class UpdateResult : int {
  success = 0,
  error = 1,
  topology_changed = 2,
  node_type_changed = 3,
  parameters_changed = 5,
  not_supported = 6,
  attributes_changed = 8,
};

/// cudaGraphExecUpdateResultInfo.
struct UpdateInfo {
  UpdateResult result;
  NodeHandle error_node;
  NodeHandle error_from_node;
};

/// Flag of cudaStreamWaitEvent and cudaEventRecordWithFlags: a captured call becomes a node for the
/// event.
inline constexpr std::uint32_t kExternalEvent = 1;

}  // namespace heddle::cuda::abi
