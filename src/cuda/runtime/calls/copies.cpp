// The runtime's copies and fills of memory at pointers. The asynchronous ones, too, complete within
// the call, unless the stream captures them.

#include "cuda/runtime/call.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda {

HEDDLE_CUDA_EXPORT Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes,
                                         abi::CopyKind kind, abi::StreamHandle stream) {
  return call("cudaMemcpy", [&](Session& session) {
    enqueue_copy(session, stream, linear_place(to), linear_place(from), {.row_bytes = bytes}, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy(void* to, const void* from, std::size_t bytes,
                                    abi::CopyKind kind) {
  return cudaMemcpyAsync(to, from, bytes, kind, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from,
                                           std::size_t from_pitch, std::size_t width,
                                           std::size_t height, abi::CopyKind kind,
                                           abi::StreamHandle stream) {
  return call("cudaMemcpy2D", [&](Session& session) {
    enqueue_copy(session, stream, linear_place(to, to_pitch), linear_place(from, from_pitch),
                 {.row_bytes = width, .rows = height}, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from,
                                      std::size_t from_pitch, std::size_t width, std::size_t height,
                                      abi::CopyKind kind) {
  return cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, height, kind, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyPeerAsync(void* to, int to_device, const void* from,
                                             int from_device, std::size_t bytes,
                                             abi::StreamHandle stream) {
  return call("cudaMemcpyPeer", [&](Session& session) {
    check_device(to_device);
    check_device(from_device);
    enqueue_copy(session, stream, linear_place(to), linear_place(from), {.row_bytes = bytes},
                 abi::CopyKind::device_to_device);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device,
                                        std::size_t bytes) {
  return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemsetAsync(void* to, int value, std::size_t bytes,
                                         abi::StreamHandle stream) {
  return call("cudaMemset", [&](Session& session) {
    enqueue_fill(session, stream, linear_place(to), value, {.row_bytes = bytes});
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemset(void* to, int value, std::size_t bytes) {
  return cudaMemsetAsync(to, value, bytes, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemset2DAsync(void* to, std::size_t pitch, int value,
                                           std::size_t width, std::size_t height,
                                           abi::StreamHandle stream) {
  return call("cudaMemset2D", [&](Session& session) {
    enqueue_fill(session, stream, linear_place(to, pitch), value,
                 {.row_bytes = width, .rows = height});
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width,
                                      std::size_t height) {
  return cudaMemset2DAsync(to, pitch, value, width, height, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemset3DAsync(abi::PitchedPointer to, int value, abi::Extent extent,
                                           abi::StreamHandle stream) {
  return call("cudaMemset3D", [&](Session& session) {
    enqueue_fill(session, stream, linear_place(to.pointer, to.pitch, to.pitch * to.height), value,
                 {.row_bytes = extent.width, .rows = extent.height, .slices = extent.depth});
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemset3D(abi::PitchedPointer to, int value, abi::Extent extent) {
  return cudaMemset3DAsync(to, value, extent, nullptr);
}

}  // namespace heddle::cuda
