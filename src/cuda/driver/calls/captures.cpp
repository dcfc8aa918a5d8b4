// The driver's calls for stream capture.

#include "cuda/driver/call.h"
#include "cuda/runtime/graph_calls.h"

namespace heddle::cuda::driver {

HEDDLE_CUDA_EXPORT Result cuStreamBeginCapture_v2(abi::StreamHandle stream, abi::CaptureMode mode) {
  return forward("cuStreamBeginCapture", &cudaStreamBeginCapture, stream, mode);
}

/// The function of CUDA 10.0, which had one mode.
HEDDLE_CUDA_EXPORT Result cuStreamBeginCapture(abi::StreamHandle stream) {
  return cuStreamBeginCapture_v2(stream, abi::CaptureMode::global);
}

HEDDLE_CUDA_EXPORT Result cuStreamBeginCaptureToGraph(abi::StreamHandle stream,
                                                      abi::GraphHandle graph,
                                                      const abi::NodeHandle* dependencies,
                                                      const abi::EdgeData* data, std::size_t count,
                                                      abi::CaptureMode mode) {
  return forward("cuStreamBeginCaptureToGraph", &cudaStreamBeginCaptureToGraph, stream, graph,
                 dependencies, data, count, mode);
}

HEDDLE_CUDA_EXPORT Result cuStreamEndCapture(abi::StreamHandle stream, abi::GraphHandle* graph) {
  return forward("cuStreamEndCapture", &cudaStreamEndCapture, stream, graph);
}

HEDDLE_CUDA_EXPORT Result cuStreamGetCaptureInfo_v3(abi::StreamHandle stream,
                                                    abi::CaptureStatus* status, std::uint64_t* id,
                                                    abi::GraphHandle* graph,
                                                    const abi::NodeHandle** dependencies,
                                                    const abi::EdgeData** data,
                                                    std::size_t* count) {
  unsigned long long found_id = 0;
  const Result result = forward("cuStreamGetCaptureInfo", &cudaStreamGetCaptureInfo, stream, status,
                                &found_id, graph, dependencies, data, count);
  if (id != nullptr && found_id != 0) *id = found_id;
  return result;
}

HEDDLE_CUDA_EXPORT Result cuStreamGetCaptureInfo_v2(abi::StreamHandle stream,
                                                    abi::CaptureStatus* status, std::uint64_t* id,
                                                    abi::GraphHandle* graph,
                                                    const abi::NodeHandle** dependencies,
                                                    std::size_t* count) {
  return cuStreamGetCaptureInfo_v3(stream, status, id, graph, dependencies, nullptr, count);
}

HEDDLE_CUDA_EXPORT Result cuStreamGetCaptureInfo(abi::StreamHandle stream,
                                                 abi::CaptureStatus* status, std::uint64_t* id) {
  return cuStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuStreamUpdateCaptureDependencies_v2(abi::StreamHandle stream,
                                                               abi::NodeHandle* dependencies,
                                                               const abi::EdgeData* data,
                                                               std::size_t count, unsigned flags) {
  return forward("cuStreamUpdateCaptureDependencies", &cudaStreamUpdateCaptureDependencies, stream,
                 dependencies, data, count, flags);
}

HEDDLE_CUDA_EXPORT Result cuStreamUpdateCaptureDependencies(abi::StreamHandle stream,
                                                            abi::NodeHandle* dependencies,
                                                            std::size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, dependencies, nullptr, count, flags);
}

HEDDLE_CUDA_EXPORT Result cuThreadExchangeStreamCaptureMode(abi::CaptureMode* mode) {
  return forward("cuThreadExchangeStreamCaptureMode", &cudaThreadExchangeStreamCaptureMode, mode);
}

}  // namespace heddle::cuda::driver
