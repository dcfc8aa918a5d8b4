#pragma once

// The types of the driver's calls for graphs that differ from the runtime's.

#include "cuda/driver/abi.h"
#include "cuda/graphs/abi.h"

namespace heddle::cuda::abi {

/// CUDA_KERNEL_NODE_PARAMS since CUDA 12. Before, it ended with `common`.
struct DriverKernelNode {
  KernelNode common;
  FunctionHandle kernel;  ///< Used if common.function is null.
  ContextHandle context;
};

/// CUDA_MEMCPY_NODE_PARAMS.
struct DriverCopyNode {
  int flags;
  int reserved;
  ContextHandle context;
  DriverCopy3D copy;
};

/// CUgraphNodeParams.
struct DriverNodeParameters {
  NodeType type;
  int reserved[3];
  union {
    long long padding[29];
    DriverKernelNode kernel;
    DriverCopyNode copy;
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

}  // namespace heddle::cuda::abi
