// The calls of programs that are built for CUDA 12, where theirs differ from 13's
// (src/cuda/runtime/cuda_12.def says which those are).

#include "cuda/runtime/cuda_12.h"

#include <atomic>
#include <cstring>

#include "cuda/driver/procedures.h"
#include "cuda/runtime/call.h"

/// Only the library itself sees them; programs know them by other names.
#define HEDDLE_CUDA_12_CALL extern "C" __attribute__((visibility("hidden"), used))

namespace heddle::cuda {

extern "C" Error cudaGetDriverEntryPointByVersion(const char* name, void** address,
                                                  unsigned version, unsigned long long flags,
                                                  driver::ProcedureStatus* status);

namespace {

using abi::cuda_12::DeviceProperties;
using abi::cuda_12::PointerAttributes;
using abi::cuda_12::ResourceDescription;

/// Of the last CUDA 12.
constexpr int kVersion12 = 12090;
/// Instead of a device: the host.
constexpr int kHost = -1;
constexpr const char* kNotSupported = "cudaErrorNotSupported";

/// 13's, so far as 12 has it.
template <class Of12, class Of13>
Error cut_off(Error error, Of12* to, const Of13& from) {
  static_assert(sizeof(Of12) <= sizeof(Of13));
  if (error == Error::success) std::memcpy(to, &from, sizeof *to);
  return error;
}

abi::ResourceDescription lengthened(const ResourceDescription& resource) {
  abi::ResourceDescription description{};
  std::memcpy(&description, &resource, sizeof resource);
  return description;
}

Error check_result(const char* name, const void* result) {
  return call(name, [&](Session&) {
    if (result == nullptr) throw Failure{Error::invalid_value};
  });
}

/// Throws Failure for what is neither our device nor the host.
void check_place(int device) {
  if (device != kHost) check_device(device);
}

/// The other advice is not for a place, and what stands for it does not matter.
bool is_for_a_place(int advice) {
  constexpr int kPreferredLocation = 3, kAccessedBy = 5, kNotAccessedBy = 6;
  return advice == kPreferredLocation || advice == kAccessedBy || advice == kNotAccessedBy;
}

}  // namespace

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_properties(DeviceProperties* properties, int device) {
  return call("cudaGetDeviceProperties", [&](Session& session) {
    check_device(device);
    result_at(properties) = properties_for_cuda_12(session.simulation().machine(),
                                                   session.device().memory().capacity());
  });
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_pointer_attributes(PointerAttributes* attributes,
                                                            const void* pointer) {
  const Error error = check_result("cudaPointerGetAttributes", attributes);
  if (error != Error::success) return error;
  abi::PointerAttributes all{};
  return cut_off(cudaPointerGetAttributes(&all, pointer), attributes, all);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_create_texture(unsigned long long* handle,
                                                        const ResourceDescription* resource,
                                                        const abi::TextureDescription* texture,
                                                        const abi::ResourceView* view) {
  if (resource == nullptr) return cudaCreateTextureObject(handle, nullptr, texture, view);
  const abi::ResourceDescription description = lengthened(*resource);
  return cudaCreateTextureObject(handle, &description, texture, view);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_create_surface(unsigned long long* handle,
                                                        const ResourceDescription* resource) {
  if (resource == nullptr) return cudaCreateSurfaceObject(handle, nullptr);
  const abi::ResourceDescription description = lengthened(*resource);
  return cudaCreateSurfaceObject(handle, &description);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_texture_resource(ResourceDescription* resource,
                                                          unsigned long long handle) {
  const Error error = check_result("cudaGetTextureObjectResourceDesc", resource);
  if (error != Error::success) return error;
  abi::ResourceDescription all{};
  return cut_off(cudaGetTextureObjectResourceDesc(&all, handle), resource, all);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_surface_resource(ResourceDescription* resource,
                                                          unsigned long long handle) {
  const Error error = check_result("cudaGetSurfaceObjectResourceDesc", resource);
  if (error != Error::success) return error;
  abi::ResourceDescription all{};
  return cut_off(cudaGetSurfaceObjectResourceDesc(&all, handle), resource, all);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_advise(const void* pointer, std::size_t bytes, int advice,
                                                int device) {
  const Error error = call("cudaMemAdvise", [&](Session&) {
    if (is_for_a_place(advice)) check_place(device);
  });
  return error == Error::success ? cudaMemAdvise(pointer, bytes, advice, {}) : error;
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_prefetch(const void* pointer, std::size_t bytes,
                                                  int device, abi::StreamHandle stream) {
  const Error error = call("cudaMemPrefetchAsync", [&](Session&) { check_place(device); });
  return error == Error::success ? cudaMemPrefetchAsync(pointer, bytes, {}, 0, stream) : error;
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_driver_entry_point(const char* name, void** address,
                                                            unsigned long long flags,
                                                            driver::ProcedureStatus* status) {
  return cudaGetDriverEntryPointByVersion(name, address, kVersion12, flags, status);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_version(int* version) {
  return call_regardless("cudaRuntimeGetVersion",
                         [&](Session&) { result_at(version) = kVersion12; });
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_refuse_old_properties() {
  static std::atomic_flag reported;
  return refuse("cudaGetDeviceProperties as CUDA 11 had it", kNotSupported, reported);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_refuse_several_devices() {
  static std::atomic_flag reported;
  return refuse("cudaLaunchCooperativeKernelMultiDevice", kNotSupported, reported);
}

}  // namespace heddle::cuda
