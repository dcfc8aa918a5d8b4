// Checks that Heddle's types for CUDA's graphs have the sizes, offsets and numbers of CUDA's own
// declarations.

#include "cuda/driver/graph_abi.h"

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "cuda/graphs/abi.h"
#include "cuda/runtime/error.h"

namespace heddle::cuda {
namespace {

#define EXPECT_SIZE(ours, theirs) EXPECT_EQ(sizeof(ours), sizeof(theirs)) << #theirs
#define EXPECT_OFFSET(ours, our_field, theirs, their_field) \
  EXPECT_EQ(offsetof(ours, our_field), offsetof(theirs, their_field)) << #their_field

template <class Ours, class Theirs>
bool same(Ours ours, Theirs theirs) {
  return static_cast<long long>(ours) == static_cast<long long>(theirs);
}

TEST(GraphAbi, MatchesNodesOfRuntime) {
  EXPECT_SIZE(abi::KernelNode, cudaKernelNodeParams);
  EXPECT_OFFSET(abi::KernelNode, block, cudaKernelNodeParams, blockDim);
  EXPECT_OFFSET(abi::KernelNode, arguments, cudaKernelNodeParams, kernelParams);
  EXPECT_OFFSET(abi::KernelNode, extra, cudaKernelNodeParams, extra);
  EXPECT_SIZE(abi::Fill, cudaMemsetParams);
  EXPECT_OFFSET(abi::Fill, value, cudaMemsetParams, value);
  EXPECT_OFFSET(abi::Fill, element_bytes, cudaMemsetParams, elementSize);
  EXPECT_OFFSET(abi::Fill, height, cudaMemsetParams, height);
  EXPECT_SIZE(abi::HostNode, cudaHostNodeParams);
  EXPECT_OFFSET(abi::HostNode, data, cudaHostNodeParams, userData);
  EXPECT_SIZE(abi::CopyNode, cudaMemcpyNodeParams);
  EXPECT_OFFSET(abi::CopyNode, copy, cudaMemcpyNodeParams, copyParams);
  EXPECT_SIZE(abi::ChildNode, cudaChildGraphNodeParams);
  EXPECT_OFFSET(abi::ChildNode, ownership, cudaChildGraphNodeParams, ownership);
  EXPECT_SIZE(abi::AllocationNode, cudaMemAllocNodeParams);
  EXPECT_OFFSET(abi::AllocationNode, accesses, cudaMemAllocNodeParams, accessDescs);
  EXPECT_OFFSET(abi::AllocationNode, bytes, cudaMemAllocNodeParams, bytesize);
  EXPECT_OFFSET(abi::AllocationNode, pointer, cudaMemAllocNodeParams, dptr);
  EXPECT_SIZE(abi::ConditionalNode, cudaConditionalNodeParams);
  EXPECT_OFFSET(abi::ConditionalNode, kind, cudaConditionalNodeParams, type);
  EXPECT_OFFSET(abi::ConditionalNode, size, cudaConditionalNodeParams, size);
  EXPECT_OFFSET(abi::ConditionalNode, bodies, cudaConditionalNodeParams, phGraph_out);
  EXPECT_SIZE(abi::NodeParameters, cudaGraphNodeParams);
  EXPECT_OFFSET(abi::NodeParameters, details, cudaGraphNodeParams, kernel);
}

TEST(GraphAbi, MatchesNodesOfDriver) {
  EXPECT_SIZE(abi::KernelNode, CUDA_KERNEL_NODE_PARAMS_v1);
  EXPECT_SIZE(abi::DriverKernelNode, CUDA_KERNEL_NODE_PARAMS_v2);
  EXPECT_OFFSET(abi::KernelNode, arguments, CUDA_KERNEL_NODE_PARAMS_v2, kernelParams);
  EXPECT_OFFSET(abi::DriverKernelNode, kernel, CUDA_KERNEL_NODE_PARAMS_v2, kern);
  EXPECT_SIZE(abi::Fill, CUDA_MEMSET_NODE_PARAMS_v1);
  EXPECT_OFFSET(abi::Fill, height, CUDA_MEMSET_NODE_PARAMS_v2, height);
  EXPECT_SIZE(abi::HostNode, CUDA_HOST_NODE_PARAMS_v1);
  EXPECT_SIZE(abi::DriverCopyNode, CUDA_MEMCPY_NODE_PARAMS);
  EXPECT_OFFSET(abi::DriverCopyNode, copy, CUDA_MEMCPY_NODE_PARAMS, copyParams);
  EXPECT_SIZE(abi::ChildNode, CUDA_CHILD_GRAPH_NODE_PARAMS);
  EXPECT_SIZE(abi::AllocationNode, CUDA_MEM_ALLOC_NODE_PARAMS_v2);
  EXPECT_OFFSET(abi::ConditionalNode, bodies, CUDA_CONDITIONAL_NODE_PARAMS, phGraph_out);
  EXPECT_SIZE(abi::DriverNodeParameters, CUgraphNodeParams);
  EXPECT_OFFSET(abi::DriverNodeParameters, details, CUgraphNodeParams, kernel);
}

TEST(GraphAbi, MatchesOtherStructures) {
  EXPECT_SIZE(abi::EdgeData, cudaGraphEdgeData);
  EXPECT_OFFSET(abi::EdgeData, type, cudaGraphEdgeData, type);
  EXPECT_SIZE(abi::InstantiateParameters, cudaGraphInstantiateParams);
  EXPECT_OFFSET(abi::InstantiateParameters, error_node, cudaGraphInstantiateParams, errNode_out);
  EXPECT_OFFSET(abi::InstantiateParameters, result, cudaGraphInstantiateParams, result_out);
  EXPECT_SIZE(abi::InstantiateParameters, CUDA_GRAPH_INSTANTIATE_PARAMS);
  EXPECT_SIZE(abi::UpdateInfo, cudaGraphExecUpdateResultInfo);
  EXPECT_OFFSET(abi::UpdateInfo, error_node, cudaGraphExecUpdateResultInfo, errorNode);
  EXPECT_OFFSET(abi::UpdateInfo, error_from_node, cudaGraphExecUpdateResultInfo, errorFromNode);
}

TEST(GraphAbi, HasNumbersOfCuda) {
  EXPECT_TRUE(same(abi::NodeType::child, cudaGraphNodeTypeGraph));
  EXPECT_TRUE(same(abi::NodeType::wait_event, cudaGraphNodeTypeWaitEvent));
  EXPECT_TRUE(same(abi::NodeType::record_event, cudaGraphNodeTypeEventRecord));
  EXPECT_TRUE(same(abi::NodeType::allocate, cudaGraphNodeTypeMemAlloc));
  EXPECT_TRUE(same(abi::NodeType::free, cudaGraphNodeTypeMemFree));
  EXPECT_TRUE(same(abi::NodeType::conditional, cudaGraphNodeTypeConditional));
  EXPECT_TRUE(same(abi::CaptureMode::thread_local_only, cudaStreamCaptureModeThreadLocal));
  EXPECT_TRUE(same(abi::CaptureMode::relaxed, cudaStreamCaptureModeRelaxed));
  EXPECT_TRUE(same(abi::CaptureStatus::invalidated, cudaStreamCaptureStatusInvalidated));
  EXPECT_TRUE(same(abi::ConditionalKind::while_loop, cudaGraphCondTypeWhile));
  EXPECT_TRUE(same(abi::ConditionalKind::switch_case, cudaGraphCondTypeSwitch));
  EXPECT_TRUE(
      same(abi::InstantiateResult::invalid_structure, cudaGraphInstantiateInvalidStructure));
  EXPECT_TRUE(
      same(abi::InstantiateResult::condition_unused, cudaGraphInstantiateConditionalHandleUnused));
  EXPECT_TRUE(same(abi::UpdateResult::topology_changed, cudaGraphExecUpdateErrorTopologyChanged));
  EXPECT_TRUE(
      same(abi::UpdateResult::parameters_changed, cudaGraphExecUpdateErrorParametersChanged));
  EXPECT_TRUE(
      same(abi::UpdateResult::attributes_changed, cudaGraphExecUpdateErrorAttributesChanged));
  EXPECT_TRUE(same(abi::kAutoFree, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  EXPECT_TRUE(same(abi::kUseNodePriority, cudaGraphInstantiateFlagUseNodePriority));
  EXPECT_TRUE(same(abi::kExternalEvent, cudaEventWaitExternal));
  EXPECT_TRUE(same(Error::illegal_state, cudaErrorIllegalState));
  EXPECT_TRUE(same(Error::stream_capture_unsupported, cudaErrorStreamCaptureUnsupported));
  EXPECT_TRUE(same(Error::stream_capture_merge, cudaErrorStreamCaptureMerge));
  EXPECT_TRUE(same(Error::stream_capture_implicit, cudaErrorStreamCaptureImplicit));
  EXPECT_TRUE(same(Error::captured_event, cudaErrorCapturedEvent));
  EXPECT_TRUE(same(Error::stream_capture_wrong_thread, cudaErrorStreamCaptureWrongThread));
  EXPECT_TRUE(same(Error::graph_update_failure, cudaErrorGraphExecUpdateFailure));
  EXPECT_TRUE(same(Error::os_call, cudaErrorOperatingSystem));
}

}  // namespace
}  // namespace heddle::cuda
