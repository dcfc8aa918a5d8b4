// The driver's calls for stream-ordered memory and pools. Each calls the runtime's function.

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {

HEDDLE_CUDA_EXPORT Result cuMemAllocFromPoolAsync(abi::DevicePointer* address, std::size_t bytes,
                                                  abi::PoolHandle pool, abi::StreamHandle stream) {
  return in_context("cuMemAllocAsync", [&](Session&) {
    abi::DevicePointer& result = result_at(address);
    void* pointer = nullptr;
    require(cudaMallocFromPoolAsync(&pointer, bytes, pool, stream));
    result = address_of(pointer);
  });
}

HEDDLE_CUDA_EXPORT Result cuMemAllocAsync(abi::DevicePointer* address, std::size_t bytes,
                                          abi::StreamHandle stream) {
  return cuMemAllocFromPoolAsync(address, bytes, nullptr, stream);
}

HEDDLE_CUDA_EXPORT Result cuMemFreeAsync(abi::DevicePointer address, abi::StreamHandle stream) {
  return in_context("cuMemFreeAsync",
                    [&](Session&) { require(cudaFreeAsync(pointer_at(address), stream)); });
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetDefaultMemPool(abi::PoolHandle* pool, int device) {
  return once_initialised("cuDeviceGetDefaultMemPool",
                          [&](Session&) { require(cudaDeviceGetDefaultMemPool(pool, device)); });
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetMemPool(abi::PoolHandle* pool, int device) {
  return once_initialised("cuDeviceGetMemPool",
                          [&](Session&) { require(cudaDeviceGetMemPool(pool, device)); });
}

HEDDLE_CUDA_EXPORT Result cuDeviceSetMemPool(int device, abi::PoolHandle pool) {
  return once_initialised("cuDeviceSetMemPool",
                          [&](Session&) { require(cudaDeviceSetMemPool(device, pool)); });
}

HEDDLE_CUDA_EXPORT Result cuMemPoolCreate(abi::PoolHandle* pool,
                                          const abi::PoolProperties* properties) {
  return once_initialised("cuMemPoolCreate",
                          [&](Session&) { require(cudaMemPoolCreate(pool, properties)); });
}

HEDDLE_CUDA_EXPORT Result cuMemPoolDestroy(abi::PoolHandle pool) {
  return once_initialised("cuMemPoolDestroy", [&](Session&) { require(cudaMemPoolDestroy(pool)); });
}

HEDDLE_CUDA_EXPORT Result cuMemPoolTrimTo(abi::PoolHandle pool, std::size_t bytes) {
  return once_initialised("cuMemPoolTrimTo",
                          [&](Session&) { require(cudaMemPoolTrimTo(pool, bytes)); });
}

HEDDLE_CUDA_EXPORT Result cuMemPoolSetAttribute(abi::PoolHandle pool, int attribute, void* value) {
  return once_initialised("cuMemPoolSetAttribute", [&](Session&) {
    require(cudaMemPoolSetAttribute(pool, attribute, value));
  });
}

HEDDLE_CUDA_EXPORT Result cuMemPoolGetAttribute(abi::PoolHandle pool, int attribute, void* value) {
  return once_initialised("cuMemPoolGetAttribute", [&](Session&) {
    require(cudaMemPoolGetAttribute(pool, attribute, value));
  });
}

HEDDLE_CUDA_EXPORT Result cuMemPoolSetAccess(abi::PoolHandle pool, const abi::MemoryAccess* access,
                                             std::size_t count) {
  return once_initialised("cuMemPoolSetAccess",
                          [&](Session&) { require(cudaMemPoolSetAccess(pool, access, count)); });
}

HEDDLE_CUDA_EXPORT Result cuMemPoolGetAccess(int* flags, abi::PoolHandle pool,
                                             abi::MemoryLocation* location) {
  return once_initialised("cuMemPoolGetAccess",
                          [&](Session&) { require(cudaMemPoolGetAccess(flags, pool, location)); });
}

}  // namespace heddle::cuda::driver
