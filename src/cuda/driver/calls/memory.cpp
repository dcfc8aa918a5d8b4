// The driver's calls for memory: the device's, and memory shared with the host.

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

/// Stores the pointer that `allocate`, a call of the runtime, returns.
template <class Allocate>
void store_address(abi::DevicePointer* address, Allocate allocate) {
  abi::DevicePointer& result = result_at(address);
  void* pointer = nullptr;
  require(allocate(&pointer));
  result = address_of(pointer);
}

/// The driver returns an error for an empty allocation; the runtime returns a null pointer.
void check_not_empty(std::size_t bytes) {
  if (bytes == 0) throw Failure{Error::invalid_value};
}

constexpr int kDevice = 1;  ///< CU_MEM_LOCATION_TYPE_DEVICE
constexpr int kHost = 2;    ///< CU_MEM_LOCATION_TYPE_HOST
/// The location for a device's number; negative: the host.
abi::MemoryLocation location_of(int device) {
  return {.kind = device < 0 ? kHost : kDevice, .id = device < 0 ? 0 : device};
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuMemAlloc_v2(abi::DevicePointer* address, std::size_t bytes) {
  return in_context("cuMemAlloc", [&](Session&) {
    check_not_empty(bytes);
    store_address(address, [&](void** pointer) { return cudaMalloc(pointer, bytes); });
  });
}

HEDDLE_CUDA_EXPORT Result cuMemAllocPitch_v2(abi::DevicePointer* address, std::size_t* pitch,
                                             std::size_t width, std::size_t rows,
                                             unsigned element_bytes) {
  return in_context("cuMemAllocPitch", [&](Session&) {
    check_not_empty(width);
    check_not_empty(rows);
    if (element_bytes != 4 && element_bytes != 8 && element_bytes != 16) {
      throw Failure{Error::invalid_value};
    }
    store_address(address,
                  [&](void** pointer) { return cudaMallocPitch(pointer, pitch, width, rows); });
  });
}

HEDDLE_CUDA_EXPORT Result cuMemAllocManaged(abi::DevicePointer* address, std::size_t bytes,
                                            unsigned flags) {
  return in_context("cuMemAllocManaged", [&](Session&) {
    store_address(address,
                  [&](void** pointer) { return cudaMallocManaged(pointer, bytes, flags); });
  });
}

HEDDLE_CUDA_EXPORT Result cuMemFree_v2(abi::DevicePointer address) {
  return in_context("cuMemFree", [&](Session&) { require(cudaFree(pointer_at(address))); });
}

HEDDLE_CUDA_EXPORT Result cuMemHostAlloc(void** pointer, std::size_t bytes, unsigned flags) {
  return in_context("cuMemHostAlloc", [&](Session&) {
    check_not_empty(bytes);
    require(cudaHostAlloc(pointer, bytes, flags));
  });
}

HEDDLE_CUDA_EXPORT Result cuMemAllocHost_v2(void** pointer, std::size_t bytes) {
  return in_context("cuMemAllocHost", [&](Session&) {
    check_not_empty(bytes);
    require(cudaHostAlloc(pointer, bytes, 0));
  });
}

HEDDLE_CUDA_EXPORT Result cuMemFreeHost(void* pointer) {
  return in_context("cuMemFreeHost", [&](Session&) { require(cudaFreeHost(pointer)); });
}

HEDDLE_CUDA_EXPORT Result cuMemHostGetDevicePointer_v2(abi::DevicePointer* address, void* host,
                                                       unsigned flags) {
  return in_context("cuMemHostGetDevicePointer", [&](Session&) {
    store_address(address,
                  [&](void** pointer) { return cudaHostGetDevicePointer(pointer, host, flags); });
  });
}

HEDDLE_CUDA_EXPORT Result cuMemHostGetFlags(unsigned* flags, void* host) {
  return in_context("cuMemHostGetFlags", [&](Session&) { require(cudaHostGetFlags(flags, host)); });
}

HEDDLE_CUDA_EXPORT Result cuMemHostRegister_v2(void* host, std::size_t bytes, unsigned flags) {
  return in_context("cuMemHostRegister",
                    [&](Session&) { require(cudaHostRegister(host, bytes, flags)); });
}

HEDDLE_CUDA_EXPORT Result cuMemHostUnregister(void* host) {
  return in_context("cuMemHostUnregister", [&](Session&) { require(cudaHostUnregister(host)); });
}

HEDDLE_CUDA_EXPORT Result cuMemGetInfo_v2(std::size_t* free_bytes, std::size_t* total_bytes) {
  return in_context("cuMemGetInfo",
                    [&](Session&) { require(cudaMemGetInfo(free_bytes, total_bytes)); });
}

HEDDLE_CUDA_EXPORT Result cuMemGetAddressRange_v2(abi::DevicePointer* base, std::size_t* bytes,
                                                  abi::DevicePointer address) {
  return in_context("cuMemGetAddressRange", [&](Session& session) {
    const Allocations::Entry found = session.allocations.find(address);
    if (found.address == 0) throw Failure{Error::symbol_not_found};
    if (base != nullptr) *base = found.address;
    if (bytes != nullptr) *bytes = found.allocation.bytes;
  });
}

HEDDLE_CUDA_EXPORT Result cuMemAdvise_v2(abi::DevicePointer address, std::size_t bytes, int advice,
                                         abi::MemoryLocation location) {
  return in_context("cuMemAdvise", [&](Session&) {
    require(cudaMemAdvise(pointer_at(address), bytes, advice, location));
  });
}

/// The function for programs that name a location by a device's number, as before CUDA 12.2.
HEDDLE_CUDA_EXPORT Result cuMemAdvise(abi::DevicePointer address, std::size_t bytes, int advice,
                                      int device) {
  return cuMemAdvise_v2(address, bytes, advice, location_of(device));
}

HEDDLE_CUDA_EXPORT Result cuMemPrefetchAsync_v2(abi::DevicePointer address, std::size_t bytes,
                                                abi::MemoryLocation location, unsigned flags,
                                                abi::StreamHandle stream) {
  return in_context("cuMemPrefetchAsync", [&](Session&) {
    require(cudaMemPrefetchAsync(pointer_at(address), bytes, location, flags, stream));
  });
}

HEDDLE_CUDA_EXPORT Result cuMemPrefetchAsync(abi::DevicePointer address, std::size_t bytes,
                                             int device, abi::StreamHandle stream) {
  return cuMemPrefetchAsync_v2(address, bytes, location_of(device), 0, stream);
}

}  // namespace heddle::cuda::driver
