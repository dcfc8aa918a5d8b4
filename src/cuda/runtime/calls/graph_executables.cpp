// The runtime's calls for executable graphs, and for the memory that graphs allocate.

#include "cuda/graphs/edit.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/enqueue.h"
#include "cuda/runtime/graph_calls.h"

namespace heddle::cuda {
namespace {

using graphs::Executable;

/// The attributes of the memory of graphs (cudaGraphMemAttributeType).
enum class MemoryAttribute : int { used = 0, most_used = 1, reserved = 2, most_reserved = 3 };

std::uint64_t& attribute_at(graphs::State& state, int attribute) {
  switch (static_cast<MemoryAttribute>(attribute)) {
    case MemoryAttribute::used:
      return state.used_bytes;
    case MemoryAttribute::most_used:
      return state.most_used_bytes;
    case MemoryAttribute::reserved:
      return state.reserved_bytes;
    case MemoryAttribute::most_reserved:
      return state.most_reserved_bytes;
  }
  throw Failure{Error::invalid_value};
}

void instantiate(Session& session, abi::ExecutableHandle* executable, abi::GraphHandle graph,
                 unsigned long long flags, graphs::InstantiationProblem& problem) {
  constexpr unsigned long long kFlags =
      abi::kAutoFree | abi::kUpload | abi::kDeviceLaunch | abi::kUseNodePriority;
  abi::ExecutableHandle& result = result_at(executable);
  const graphs::Graph& source = session.graphs.registry.graph(graph);
  problem.result = abi::InstantiateResult::error;
  if ((flags & ~kFlags) != 0 || source.role() != graphs::GraphRole::whole) {
    throw Failure{Error::invalid_value};
  }
  if ((flags & abi::kDeviceLaunch) != 0) {
    problem.result = abi::InstantiateResult::operation_not_supported;
    throw Failure{Error::not_supported, "Heddle does not support graphs that kernels launch"};
  }
  const std::shared_ptr<Executable> created = graphs::instantiate(source, flags, problem);
  if (created == nullptr) throw Failure{Error::invalid_value};
  result = reinterpret_cast<abi::ExecutableHandle>(created.get());
  session.graphs.executables[created.get()] = created;
}

/// The node of an executable graph that can be disabled.
graphs::Node& switchable_node(Session& session, abi::ExecutableHandle executable,
                              abi::NodeHandle node) {
  graphs::Node& executed =
      graphs::node_of(*session.graphs.executable(executable), session.graphs.registry.node(node));
  switch (graphs::type_of(executed.work)) {
    case abi::NodeType::kernel:
    case abi::NodeType::copy:
    case abi::NodeType::fill:
      return executed;
    default:
      throw Failure{Error::invalid_value};
  }
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaGraphInstantiateWithFlags(abi::ExecutableHandle* executable,
                                                       abi::GraphHandle graph,
                                                       unsigned long long flags) {
  return call("cudaGraphInstantiate", [&](Session& session) {
    graphs::InstantiationProblem problem;
    if ((flags & abi::kUpload) != 0) throw Failure{Error::invalid_value};
    instantiate(session, executable, graph, flags, problem);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphInstantiate(abi::ExecutableHandle* executable,
                                              abi::GraphHandle graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(executable, graph, flags);
}

HEDDLE_CUDA_EXPORT Error cudaGraphInstantiateWithParams(abi::ExecutableHandle* executable,
                                                        abi::GraphHandle graph,
                                                        abi::InstantiateParameters* parameters) {
  graphs::InstantiationProblem problem;
  return call("cudaGraphInstantiateWithParams", [&](Session& session) {
    abi::InstantiateParameters& requested = result_at(parameters);
    try {
      instantiate(session, executable, graph, requested.flags, problem);
    } catch (const Failure&) {
      requested.result = problem.result;
      requested.error_node = problem.node == nullptr ? nullptr : graphs::handle_of(*problem.node);
      throw;
    }
    requested.result = abi::InstantiateResult::success;
    requested.error_node = nullptr;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecDestroy(abi::ExecutableHandle executable) {
  return call("cudaGraphExecDestroy", [&](Session& session) {
    session.graphs.executable(executable);
    session.graphs.executables.erase(executable);
    session.graphs.forget_user_objects();
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecGetFlags(abi::ExecutableHandle executable,
                                               unsigned long long* flags) {
  return call("cudaGraphExecGetFlags", [&](Session& session) {
    result_at(flags) = session.graphs.executable(executable)->flags;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphNodeSetEnabled(abi::ExecutableHandle executable,
                                                 abi::NodeHandle node, unsigned is_enabled) {
  return call("cudaGraphNodeSetEnabled", [&](Session& session) {
    switchable_node(session, executable, node).is_enabled = is_enabled != 0;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphNodeGetEnabled(abi::ExecutableHandle executable,
                                                 abi::NodeHandle node, unsigned* is_enabled) {
  return call("cudaGraphNodeGetEnabled", [&](Session& session) {
    result_at(is_enabled) = switchable_node(session, executable, node).is_enabled ? 1 : 0;
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphExecUpdate(abi::ExecutableHandle executable,
                                             abi::GraphHandle graph, abi::UpdateInfo* info) {
  return call("cudaGraphExecUpdate", [&](Session& session) {
    if (info != nullptr) *info = {abi::UpdateResult::error, nullptr, nullptr};
    const abi::UpdateInfo result = graphs::update(*session.graphs.executable(executable)->graph,
                                                  session.graphs.registry.graph(graph));
    if (info != nullptr) *info = result;
    if (result.result != abi::UpdateResult::success) throw Failure{Error::graph_update_failure};
  });
}

/// Has no effect: a launch needs no preparation.
HEDDLE_CUDA_EXPORT Error cudaGraphUpload(abi::ExecutableHandle executable,
                                         abi::StreamHandle stream) {
  return call("cudaGraphUpload", [&](Session& session) {
    session.graphs.executable(executable);
    check_not_captured(session, stream);
  });
}

HEDDLE_CUDA_EXPORT Error cudaGraphLaunch(abi::ExecutableHandle executable,
                                         abi::StreamHandle stream) {
  std::shared_ptr<Executable> launched;
  const Error error = call("cudaGraphLaunch", [&](Session& session) {
    const std::shared_ptr<Executable>& requested = session.graphs.executable(executable);
    if (is_captured(session, stream)) {
      session.graphs.captures.add(
          stream, graphs::ChildWork{requested->graph->clone(graphs::GraphRole::part)});
    } else {
      launched = requested;
    }
  });
  if (launched == nullptr) return error;
  const Error launch_error = graphs::run("cudaGraphLaunch", *launched);
  // Another thread may have destroyed the executable graph meanwhile.
  call_despite_error("cudaGraphLaunch", [&](Session&) { launched.reset(); });
  return launch_error;
}

/// Has no effect: the memory is reserved as long as a graph may allocate it.
HEDDLE_CUDA_EXPORT Error cudaDeviceGraphMemTrim(int device) {
  return call("cudaDeviceGraphMemTrim", [&](Session&) { check_device(device); });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetGraphMemAttribute(int device, int attribute, void* value) {
  return call("cudaDeviceGetGraphMemAttribute", [&](Session& session) {
    check_device(device);
    result_at(static_cast<std::uint64_t*>(value)) = attribute_at(session.graphs, attribute);
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceSetGraphMemAttribute(int device, int attribute, void* value) {
  return call("cudaDeviceSetGraphMemAttribute", [&](Session& session) {
    check_device(device);
    std::uint64_t& changed = attribute_at(session.graphs, attribute);
    const auto kind = static_cast<MemoryAttribute>(attribute);
    const bool is_maximum =
        kind == MemoryAttribute::most_used || kind == MemoryAttribute::most_reserved;
    // Programs can only reset the maxima.
    if (!is_maximum || result_at(static_cast<const std::uint64_t*>(value)) != 0) {
      throw Failure{Error::invalid_value};
    }
    changed = 0;
  });
}

}  // namespace heddle::cuda
