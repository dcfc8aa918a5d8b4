// The runtime's calls for stream capture.

#include "cuda/graphs/edit.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/graph_calls.h"

namespace heddle::cuda {
namespace {

void check_capture_mode(abi::CaptureMode mode) {
  if (static_cast<unsigned>(mode) > static_cast<unsigned>(abi::CaptureMode::relaxed)) {
    throw Failure{Error::invalid_value};
  }
}

void begin_capture(Session& session, graphs::Captures::Beginning beginning) {
  session.check_stream(beginning.stream);
  check_capture_mode(beginning.mode);
  beginning.is_blocking = session.is_blocking(beginning.stream);
  session.graphs.captures.begin(session.graphs.registry, std::move(beginning));
}

abi::CaptureStatus status_of(const graphs::CapturingStream* capturing) {
  if (capturing == nullptr) return abi::CaptureStatus::none;
  const graphs::Capture& capture = *capturing->capture;
  return capture.is_valid && capture.graph != nullptr ? abi::CaptureStatus::active
                                                      : abi::CaptureStatus::invalidated;
}

/// Lists the nodes that the stream's next node will depend on. The lists are valid until the next
/// call for the stream.
void list_dependencies(graphs::CapturingStream& capturing) {
  capturing.reported_nodes.clear();
  capturing.reported_data.clear();
  for (const graphs::Dependency& dependency : capturing.next) {
    capturing.reported_nodes.push_back(graphs::handle_of(*dependency.on));
    capturing.reported_data.push_back(dependency.data);
  }
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaStreamBeginCapture(abi::StreamHandle stream, abi::CaptureMode mode) {
  return call("cudaStreamBeginCapture",
              [&](Session& session) { begin_capture(session, {.stream = stream, .mode = mode}); });
}

HEDDLE_CUDA_EXPORT Error cudaStreamBeginCaptureToGraph(abi::StreamHandle stream,
                                                       abi::GraphHandle graph,
                                                       const abi::NodeHandle* dependencies,
                                                       const abi::EdgeData* data, std::size_t count,
                                                       abi::CaptureMode mode) {
  return call("cudaStreamBeginCaptureToGraph", [&](Session& session) {
    graphs::Graph& target = session.graphs.registry.graph(graph);
    std::vector<graphs::Dependency> first;
    graphs::add_missing(first, graphs::dependencies_of(session, dependencies, data, count));
    for (const graphs::Dependency& dependency : first) {
      if (dependency.on->graph != &target) throw Failure{Error::invalid_value};
    }
    begin_capture(
        session,
        {.stream = stream, .mode = mode, .graph = &target, .dependencies = std::move(first)});
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamEndCapture(abi::StreamHandle stream, abi::GraphHandle* graph) {
  return call("cudaStreamEndCapture", [&](Session& session) {
    session.check_stream(stream);
    abi::GraphHandle& result = result_at(graph);
    result = nullptr;
    graphs::Captures::Ended ended = session.graphs.captures.end(stream);
    result = graphs::handle_of(*ended.graph);
    if (ended.owned != nullptr) session.graphs.add(std::move(ended.owned));
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamIsCapturing(abi::StreamHandle stream, int* status) {
  return call("cudaStreamIsCapturing", [&](Session& session) {
    session.check_stream(stream);
    int& result = result_at(status);
    result = static_cast<int>(status_of(session.graphs.captures.query(stream)));
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamGetCaptureInfo(abi::StreamHandle stream,
                                                  abi::CaptureStatus* status,
                                                  unsigned long long* id, abi::GraphHandle* graph,
                                                  const abi::NodeHandle** dependencies,
                                                  const abi::EdgeData** data, std::size_t* count) {
  return call("cudaStreamGetCaptureInfo", [&](Session& session) {
    session.check_stream(stream);
    graphs::CapturingStream* const capturing = session.graphs.captures.query(stream);
    abi::CaptureStatus& result = result_at(status);
    result = status_of(capturing);
    if (result == abi::CaptureStatus::none) return;
    if (id != nullptr) *id = capturing->capture->id;
    if (result == abi::CaptureStatus::invalidated) return;
    list_dependencies(*capturing);
    if (graph != nullptr) *graph = graphs::handle_of(*capturing->capture->graph);
    if (dependencies != nullptr) *dependencies = capturing->reported_nodes.data();
    if (data != nullptr) *data = capturing->reported_data.data();
    if (count != nullptr) *count = capturing->reported_nodes.size();
  });
}

HEDDLE_CUDA_EXPORT Error cudaStreamUpdateCaptureDependencies(abi::StreamHandle stream,
                                                             abi::NodeHandle* dependencies,
                                                             const abi::EdgeData* data,
                                                             std::size_t count, unsigned flags) {
  return call("cudaStreamUpdateCaptureDependencies", [&](Session& session) {
    constexpr unsigned kReplace = 1;
    session.check_stream(stream);
    graphs::Captures& captures = session.graphs.captures;
    if (flags > kReplace) throw Failure{Error::invalid_value};
    if (!captures.captures(stream)) throw Failure{Error::illegal_state};
    graphs::CapturingStream& capturing = *captures.query(stream);
    const std::vector<graphs::Dependency> added =
        graphs::dependencies_of(session, dependencies, data, count);
    for (const graphs::Dependency& dependency : added) {
      if (dependency.on->graph != capturing.capture->graph) throw Failure{Error::invalid_value};
    }
    if (flags == kReplace) capturing.next.clear();
    graphs::add_missing(capturing.next, added);
  });
}

HEDDLE_CUDA_EXPORT Error cudaThreadExchangeStreamCaptureMode(abi::CaptureMode* mode) {
  return call("cudaThreadExchangeStreamCaptureMode", [&](Session&) {
    abi::CaptureMode& exchanged = result_at(mode);
    check_capture_mode(exchanged);
    std::swap(exchanged, graphs::mode_of_thread());
  });
}

}  // namespace heddle::cuda
