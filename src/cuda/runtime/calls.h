#pragma once

// The functions of the runtime that the driver's functions call, with CUDA's names and meaning.

#include <cstddef>

#include "cuda/runtime/abi.h"
#include "cuda/runtime/error.h"

/// Marks a function that programs link to.
#define HEDDLE_CUDA_EXPORT extern "C" __attribute__((visibility("default")))

namespace heddle::cuda {

// NOLINTBEGIN(readability-identifier-naming)

// Device.
HEDDLE_CUDA_EXPORT Error cudaDeviceGetAttribute(int* value, int attribute, int device);
HEDDLE_CUDA_EXPORT Error cudaDeviceGetPCIBusId(char* text, int capacity, int device);
HEDDLE_CUDA_EXPORT Error cudaDeviceGetByPCIBusId(int* device, const char* text);
HEDDLE_CUDA_EXPORT Error cudaDeviceCanAccessPeer(int* can_access, int device, int peer);
HEDDLE_CUDA_EXPORT Error cudaDeviceSynchronize();
HEDDLE_CUDA_EXPORT Error cudaDeviceSetLimit(abi::Limit limit, std::size_t value);
HEDDLE_CUDA_EXPORT Error cudaDeviceGetLimit(std::size_t* value, abi::Limit limit);
HEDDLE_CUDA_EXPORT Error cudaDriverGetVersion(int* version);

// Memory.
HEDDLE_CUDA_EXPORT Error cudaMalloc(void** pointer, std::size_t bytes);
HEDDLE_CUDA_EXPORT Error cudaMallocManaged(void** pointer, std::size_t bytes, unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width,
                                         std::size_t rows);
HEDDLE_CUDA_EXPORT Error cudaFree(void* pointer);
HEDDLE_CUDA_EXPORT Error cudaHostAlloc(void** pointer, std::size_t bytes, unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaFreeHost(void* pointer);
HEDDLE_CUDA_EXPORT Error cudaHostGetDevicePointer(void** pointer, void* host, unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaHostGetFlags(unsigned* flags, void* host);
HEDDLE_CUDA_EXPORT Error cudaHostRegister(void* host, std::size_t bytes, unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaHostUnregister(void* host);
HEDDLE_CUDA_EXPORT Error cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes);
HEDDLE_CUDA_EXPORT Error cudaPointerGetAttributes(abi::PointerAttributes* attributes,
                                                  const void* pointer);
HEDDLE_CUDA_EXPORT Error cudaMemAdvise(const void* pointer, std::size_t bytes, int advice,
                                       abi::MemoryLocation location);
HEDDLE_CUDA_EXPORT Error cudaMemPrefetchAsync(const void* pointer, std::size_t bytes,
                                              abi::MemoryLocation location, unsigned flags,
                                              abi::StreamHandle stream);

// Pools.
HEDDLE_CUDA_EXPORT Error cudaMallocFromPoolAsync(void** pointer, std::size_t bytes,
                                                 abi::PoolHandle pool, abi::StreamHandle stream);
HEDDLE_CUDA_EXPORT Error cudaFreeAsync(void* pointer, abi::StreamHandle stream);
HEDDLE_CUDA_EXPORT Error cudaDeviceGetDefaultMemPool(abi::PoolHandle* pool, int device);
HEDDLE_CUDA_EXPORT Error cudaDeviceGetMemPool(abi::PoolHandle* pool, int device);
HEDDLE_CUDA_EXPORT Error cudaDeviceSetMemPool(int device, abi::PoolHandle pool);
HEDDLE_CUDA_EXPORT Error cudaMemPoolCreate(abi::PoolHandle* pool,
                                           const abi::PoolProperties* properties);
HEDDLE_CUDA_EXPORT Error cudaMemPoolDestroy(abi::PoolHandle pool);
HEDDLE_CUDA_EXPORT Error cudaMemPoolTrimTo(abi::PoolHandle pool, std::size_t bytes);
HEDDLE_CUDA_EXPORT Error cudaMemPoolSetAttribute(abi::PoolHandle pool, int attribute, void* value);
HEDDLE_CUDA_EXPORT Error cudaMemPoolGetAttribute(abi::PoolHandle pool, int attribute, void* value);
HEDDLE_CUDA_EXPORT Error cudaMemPoolSetAccess(abi::PoolHandle pool, const abi::MemoryAccess* access,
                                              std::size_t count);
HEDDLE_CUDA_EXPORT Error cudaMemPoolGetAccess(int* flags, abi::PoolHandle pool,
                                              abi::MemoryLocation* location);

// Copies.
HEDDLE_CUDA_EXPORT Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes,
                                         abi::CopyKind kind, abi::StreamHandle stream);
HEDDLE_CUDA_EXPORT Error cudaMemcpyToArrayAsync(abi::ArrayHandle to, std::size_t x_bytes,
                                                std::size_t y, const void* from, std::size_t bytes,
                                                abi::CopyKind kind, abi::StreamHandle stream);
HEDDLE_CUDA_EXPORT Error cudaMemcpyFromArrayAsync(void* to, abi::ArrayHandle from,
                                                  std::size_t x_bytes, std::size_t y,
                                                  std::size_t bytes, abi::CopyKind kind,
                                                  abi::StreamHandle stream);

// Arrays, textures and surfaces.
HEDDLE_CUDA_EXPORT Error cudaMalloc3DArray(abi::ArrayHandle* array,
                                           const abi::ChannelFormat* format, abi::Extent extent,
                                           unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaFreeArray(abi::ArrayHandle array);
HEDDLE_CUDA_EXPORT Error cudaArrayGetInfo(abi::ChannelFormat* format, abi::Extent* extent,
                                          unsigned* flags, abi::ArrayHandle array);
HEDDLE_CUDA_EXPORT Error cudaMallocMipmappedArray(abi::MipmappedArrayHandle* array,
                                                  const abi::ChannelFormat* format,
                                                  abi::Extent extent, unsigned levels,
                                                  unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaFreeMipmappedArray(abi::MipmappedArrayHandle array);
HEDDLE_CUDA_EXPORT Error cudaGetMipmappedArrayLevel(abi::ArrayHandle* level,
                                                    abi::MipmappedArrayHandle array,
                                                    unsigned number);
HEDDLE_CUDA_EXPORT Error cudaCreateTextureObject(unsigned long long* handle,
                                                 const abi::ResourceDescription* resource,
                                                 const abi::TextureDescription* texture,
                                                 const abi::ResourceView* view);
HEDDLE_CUDA_EXPORT Error cudaDestroyTextureObject(unsigned long long handle);
HEDDLE_CUDA_EXPORT Error cudaGetTextureObjectResourceDesc(abi::ResourceDescription* resource,
                                                          unsigned long long handle);
HEDDLE_CUDA_EXPORT Error cudaGetTextureObjectTextureDesc(abi::TextureDescription* texture,
                                                         unsigned long long handle);
HEDDLE_CUDA_EXPORT Error cudaCreateSurfaceObject(unsigned long long* handle,
                                                 const abi::ResourceDescription* resource);
HEDDLE_CUDA_EXPORT Error cudaDestroySurfaceObject(unsigned long long handle);
HEDDLE_CUDA_EXPORT Error cudaGetSurfaceObjectResourceDesc(abi::ResourceDescription* resource,
                                                          unsigned long long handle);

// Streams and events.
HEDDLE_CUDA_EXPORT Error cudaStreamCreateWithPriority(abi::StreamHandle* stream, unsigned flags,
                                                      int priority);
HEDDLE_CUDA_EXPORT Error cudaStreamDestroy(abi::StreamHandle stream);
HEDDLE_CUDA_EXPORT Error cudaStreamSynchronize(abi::StreamHandle stream);
HEDDLE_CUDA_EXPORT Error cudaStreamQuery(abi::StreamHandle stream);
HEDDLE_CUDA_EXPORT Error cudaStreamWaitEvent(abi::StreamHandle stream, abi::EventHandle event,
                                             unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaStreamGetFlags(abi::StreamHandle stream, unsigned* flags);
HEDDLE_CUDA_EXPORT Error cudaStreamGetPriority(abi::StreamHandle stream, int* priority);
HEDDLE_CUDA_EXPORT Error cudaStreamGetId(abi::StreamHandle stream, unsigned long long* id);
HEDDLE_CUDA_EXPORT Error cudaStreamGetDevice(abi::StreamHandle stream, int* device);
HEDDLE_CUDA_EXPORT Error cudaStreamIsCapturing(abi::StreamHandle stream, int* status);
HEDDLE_CUDA_EXPORT Error cudaStreamAttachMemAsync(abi::StreamHandle stream, void* pointer,
                                                  std::size_t bytes, unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaEventCreateWithFlags(abi::EventHandle* event, unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaEventDestroy(abi::EventHandle event);
HEDDLE_CUDA_EXPORT Error cudaEventRecordWithFlags(abi::EventHandle event, abi::StreamHandle stream,
                                                  unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaEventSynchronize(abi::EventHandle event);
HEDDLE_CUDA_EXPORT Error cudaEventQuery(abi::EventHandle event);
HEDDLE_CUDA_EXPORT Error cudaEventElapsedTime(float* milliseconds, abi::EventHandle begin,
                                              abi::EventHandle end);

// Kernels and libraries.
HEDDLE_CUDA_EXPORT Error cudaLaunchKernelExC(const abi::LaunchConfiguration* configuration,
                                             const void* function, void** arguments);
HEDDLE_CUDA_EXPORT Error cudaFuncGetAttributes(abi::FunctionAttributes* attributes,
                                               const void* function);
HEDDLE_CUDA_EXPORT Error cudaFuncSetAttribute(const void* function,
                                              abi::FunctionAttribute attribute, int value);
HEDDLE_CUDA_EXPORT Error cudaFuncGetName(const char** name, const void* function);
HEDDLE_CUDA_EXPORT Error cudaFuncGetParamInfo(const void* function, std::size_t index,
                                              std::size_t* offset, std::size_t* bytes);
HEDDLE_CUDA_EXPORT Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t dynamic_shared_bytes,
    unsigned flags);
HEDDLE_CUDA_EXPORT Error cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes,
                                                                   const void* function, int blocks,
                                                                   int threads);
HEDDLE_CUDA_EXPORT Error cudaLibraryUnload(void* library);
HEDDLE_CUDA_EXPORT Error cudaLibraryGetKernel(abi::KernelHandle* kernel, void* library,
                                              const char* name);
HEDDLE_CUDA_EXPORT Error cudaLibraryGetKernelCount(unsigned* count, void* library);
HEDDLE_CUDA_EXPORT Error cudaLibraryEnumerateKernels(abi::KernelHandle* kernels, unsigned capacity,
                                                     void* library);
HEDDLE_CUDA_EXPORT Error cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, void* library,
                                              const char* name);

// NOLINTEND(readability-identifier-naming)

}  // namespace heddle::cuda
