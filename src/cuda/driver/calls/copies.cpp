// The driver's copies between pointers.

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

Result copy(const char* name, void* to, const void* from, std::size_t bytes, abi::CopyKind kind,
            abi::StreamHandle stream = nullptr) {
  return in_context(name,
                    [&](Session&) { require(cudaMemcpyAsync(to, from, bytes, kind, stream)); });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuMemcpyAsync(abi::DevicePointer to, abi::DevicePointer from,
                                        std::size_t bytes, abi::StreamHandle stream) {
  return copy("cuMemcpy", pointer_at(to), pointer_at(from), bytes, abi::CopyKind::by_address,
              stream);
}

HEDDLE_CUDA_EXPORT Result cuMemcpy(abi::DevicePointer to, abi::DevicePointer from,
                                   std::size_t bytes) {
  return cuMemcpyAsync(to, from, bytes, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyHtoDAsync_v2(abi::DevicePointer to, const void* from,
                                               std::size_t bytes, abi::StreamHandle stream) {
  return copy("cuMemcpyHtoD", pointer_at(to), from, bytes, abi::CopyKind::host_to_device, stream);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyHtoD_v2(abi::DevicePointer to, const void* from,
                                          std::size_t bytes) {
  return cuMemcpyHtoDAsync_v2(to, from, bytes, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyDtoHAsync_v2(void* to, abi::DevicePointer from, std::size_t bytes,
                                               abi::StreamHandle stream) {
  return copy("cuMemcpyDtoH", to, pointer_at(from), bytes, abi::CopyKind::device_to_host, stream);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyDtoH_v2(void* to, abi::DevicePointer from, std::size_t bytes) {
  return cuMemcpyDtoHAsync_v2(to, from, bytes, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyDtoDAsync_v2(abi::DevicePointer to, abi::DevicePointer from,
                                               std::size_t bytes, abi::StreamHandle stream) {
  return copy("cuMemcpyDtoD", pointer_at(to), pointer_at(from), bytes,
              abi::CopyKind::device_to_device, stream);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyDtoD_v2(abi::DevicePointer to, abi::DevicePointer from,
                                          std::size_t bytes) {
  return cuMemcpyDtoDAsync_v2(to, from, bytes, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyPeerAsync(abi::DevicePointer to, abi::ContextHandle to_context,
                                            abi::DevicePointer from,
                                            abi::ContextHandle from_context, std::size_t bytes,
                                            abi::StreamHandle stream) {
  return in_context("cuMemcpyPeer", [&](Session& session) {
    Contexts::instance().check(session, to_context);
    Contexts::instance().check(session, from_context);
    require(cudaMemcpyAsync(pointer_at(to), pointer_at(from), bytes,
                            abi::CopyKind::device_to_device, stream));
  });
}

HEDDLE_CUDA_EXPORT Result cuMemcpyPeer(abi::DevicePointer to, abi::ContextHandle to_context,
                                       abi::DevicePointer from, abi::ContextHandle from_context,
                                       std::size_t bytes) {
  return cuMemcpyPeerAsync(to, to_context, from, from_context, bytes, nullptr);
}

}  // namespace heddle::cuda::driver
