// The runtime's calls that query and change the parameters of nodes that are not kernels or copies.

#include "cuda/runtime/graph_calls.h"
#include "cuda/runtime/node_changes.h"

namespace heddle::cuda {
namespace {

/// Returns a part of a node's work to a program.
template <class Kind, class Result>
Error get_part(const char* name, abi::NodeHandle node, Result* result, Result Kind::*member) {
  return call(name, [&](Session& session) {
    result_at(result) = graphs::work_at<Kind>(session.graphs.registry.node(node)).*member;
  });
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaGraphMemsetNodeGetParams(abi::NodeHandle node, abi::Fill* fill) {
  return get_part("cudaGraphMemsetNodeGetParams", node, fill, &graphs::FillWork::fill);
}

HEDDLE_CUDA_EXPORT Error cudaGraphMemsetNodeSetParams(abi::NodeHandle node, const abi::Fill* fill) {
  return change_node("cudaGraphMemsetNodeSetParams", node,
                     [&](Session&) { return graphs::fill_work(result_at(fill)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecMemsetNodeSetParams(abi::ExecutableHandle executable,
                                                          abi::NodeHandle node,
                                                          const abi::Fill* fill) {
  return change_node("cudaGraphExecMemsetNodeSetParams", executable, node,
                     [&](Session&) { return graphs::fill_work(result_at(fill)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphHostNodeGetParams(abi::NodeHandle node, abi::HostNode* host) {
  return get_part("cudaGraphHostNodeGetParams", node, host, &graphs::HostWork::host);
}

HEDDLE_CUDA_EXPORT Error cudaGraphHostNodeSetParams(abi::NodeHandle node,
                                                    const abi::HostNode* host) {
  return change_node("cudaGraphHostNodeSetParams", node,
                     [&](Session&) { return graphs::host_work(result_at(host)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecHostNodeSetParams(abi::ExecutableHandle executable,
                                                        abi::NodeHandle node,
                                                        const abi::HostNode* host) {
  return change_node("cudaGraphExecHostNodeSetParams", executable, node,
                     [&](Session&) { return graphs::host_work(result_at(host)); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphChildGraphNodeGetGraph(abi::NodeHandle node,
                                                         abi::GraphHandle* graph) {
  return call("cudaGraphChildGraphNodeGetGraph", [&](Session& session) {
    const auto& work = graphs::work_at<graphs::ChildWork>(session.graphs.registry.node(node));
    result_at(graph) = graphs::handle_of(*work.graph);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecChildGraphNodeSetParams(abi::ExecutableHandle executable,
                                                              abi::NodeHandle node,
                                                              abi::GraphHandle child) {
  return change_node("cudaGraphExecChildGraphNodeSetParams", executable, node,
                     [&](Session& session) {
                       return graphs::child_work(session, {.graph = child, .ownership = 0});
                     });
}

HEDDLE_CUDA_EXPORT Error cudaGraphEventRecordNodeGetEvent(abi::NodeHandle node,
                                                          abi::EventHandle* event) {
  return get_part("cudaGraphEventRecordNodeGetEvent", node, event, &graphs::RecordWork::event);
}

HEDDLE_CUDA_EXPORT Error cudaGraphEventRecordNodeSetEvent(abi::NodeHandle node,
                                                          abi::EventHandle event) {
  return change_node("cudaGraphEventRecordNodeSetEvent", node,
                     [&](Session& session) { return graphs::record_work(session, event); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecEventRecordNodeSetEvent(abi::ExecutableHandle executable,
                                                              abi::NodeHandle node,
                                                              abi::EventHandle event) {
  return change_node("cudaGraphExecEventRecordNodeSetEvent", executable, node,
                     [&](Session& session) { return graphs::record_work(session, event); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphEventWaitNodeGetEvent(abi::NodeHandle node,
                                                        abi::EventHandle* event) {
  return get_part("cudaGraphEventWaitNodeGetEvent", node, event, &graphs::WaitWork::event);
}

HEDDLE_CUDA_EXPORT Error cudaGraphEventWaitNodeSetEvent(abi::NodeHandle node,
                                                        abi::EventHandle event) {
  return change_node("cudaGraphEventWaitNodeSetEvent", node,
                     [&](Session& session) { return graphs::wait_work(session, event); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecEventWaitNodeSetEvent(abi::ExecutableHandle executable,
                                                            abi::NodeHandle node,
                                                            abi::EventHandle event) {
  return change_node("cudaGraphExecEventWaitNodeSetEvent", executable, node,
                     [&](Session& session) { return graphs::wait_work(session, event); });
}

HEDDLE_CUDA_EXPORT Error cudaGraphMemAllocNodeGetParams(abi::NodeHandle node,
                                                        abi::AllocationNode* parameters) {
  return call("cudaGraphMemAllocNodeGetParams", [&](Session& session) {
    const auto& work = graphs::work_at<graphs::AllocateWork>(session.graphs.registry.node(node));
    abi::AllocationNode& result = result_at(parameters);
    result = work.parameters;
    result.accesses = work.accesses.data();
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphMemFreeNodeGetParams(abi::NodeHandle node, void* pointer) {
  return get_part("cudaGraphMemFreeNodeGetParams", node, static_cast<void**>(pointer),
                  &graphs::FreeWork::pointer);
}

}  // namespace heddle::cuda
