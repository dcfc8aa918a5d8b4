// The functions for programs built for CUDA 12, where they differ from CUDA 13's. cuda_12.def lists
// their names in such programs.

#include "cuda/runtime/cuda_12.h"

#include <atomic>
#include <cstring>

#include "cuda/driver/procedures.h"
#include "cuda/runtime/call.h"

/// Marks a function that is not exported under its own name, but under a name in cuda_12.def.
#define HEDDLE_CUDA_12_CALL extern "C" __attribute__((visibility("hidden"), used))

namespace heddle::cuda {

extern "C" Error cudaGetDriverEntryPointByVersion(const char* name, void** address,
                                                  unsigned version, unsigned long long flags,
                                                  driver::ProcedureStatus* status);

namespace {

using abi::cuda_12::DeviceProperties;
using abi::cuda_12::PointerAttributes;
using abi::cuda_12::ResourceDescription;

/// The last version of CUDA 12.
constexpr int kVersion12 = 12090;
/// The device number that means the host.
constexpr int kHost = -1;
constexpr const char* kNotSupported = "cudaErrorNotSupported";

/// Copies the first part of CUDA 13's structure, which is CUDA 12's structure, unless the call that
/// filled it in returned an error. Returns that error.
template <class Struct12, class Struct13>
Error copy_prefix(Error error, Struct12* to, const Struct13& from) {
  static_assert(sizeof(Struct12) <= sizeof(Struct13));
  if (error == Error::success) std::memcpy(to, &from, sizeof *to);
  return error;
}

/// The description in CUDA 13's form.
abi::ResourceDescription to_cuda_13(const ResourceDescription& resource) {
  abi::ResourceDescription description{};
  std::memcpy(&description, &resource, sizeof resource);
  return description;
}

/// Returns the error of the function `name` for a null pointer.
Error check_not_null(const char* name, const void* result) {
  return call(name, [&](Session&) {
    if (result == nullptr) throw Failure{Error::invalid_value};
  });
}

/// Throws Failure unless `device` is the number of the device or of the host.
void check_location(int device) {
  if (device != kHost) check_device(device);
}

/// True for advice that uses its location argument.
bool has_location(int advice) {
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
  const Error error = check_not_null("cudaPointerGetAttributes", attributes);
  if (error != Error::success) return error;
  abi::PointerAttributes all{};
  return copy_prefix(cudaPointerGetAttributes(&all, pointer), attributes, all);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_create_texture(unsigned long long* handle,
                                                        const ResourceDescription* resource,
                                                        const abi::TextureDescription* texture,
                                                        const abi::ResourceView* view) {
  if (resource == nullptr) return cudaCreateTextureObject(handle, nullptr, texture, view);
  const abi::ResourceDescription description = to_cuda_13(*resource);
  return cudaCreateTextureObject(handle, &description, texture, view);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_create_surface(unsigned long long* handle,
                                                        const ResourceDescription* resource) {
  if (resource == nullptr) return cudaCreateSurfaceObject(handle, nullptr);
  const abi::ResourceDescription description = to_cuda_13(*resource);
  return cudaCreateSurfaceObject(handle, &description);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_texture_resource(ResourceDescription* resource,
                                                          unsigned long long handle) {
  const Error error = check_not_null("cudaGetTextureObjectResourceDesc", resource);
  if (error != Error::success) return error;
  abi::ResourceDescription all{};
  return copy_prefix(cudaGetTextureObjectResourceDesc(&all, handle), resource, all);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_surface_resource(ResourceDescription* resource,
                                                          unsigned long long handle) {
  const Error error = check_not_null("cudaGetSurfaceObjectResourceDesc", resource);
  if (error != Error::success) return error;
  abi::ResourceDescription all{};
  return copy_prefix(cudaGetSurfaceObjectResourceDesc(&all, handle), resource, all);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_advise(const void* pointer, std::size_t bytes, int advice,
                                                int device) {
  const Error error = call("cudaMemAdvise", [&](Session&) {
    if (has_location(advice)) check_location(device);
  });
  return error == Error::success ? cudaMemAdvise(pointer, bytes, advice, {}) : error;
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_prefetch(const void* pointer, std::size_t bytes,
                                                  int device, abi::StreamHandle stream) {
  const Error error = call("cudaMemPrefetchAsync", [&](Session&) { check_location(device); });
  return error == Error::success ? cudaMemPrefetchAsync(pointer, bytes, {}, 0, stream) : error;
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_driver_entry_point(const char* name, void** address,
                                                            unsigned long long flags,
                                                            driver::ProcedureStatus* status) {
  return cudaGetDriverEntryPointByVersion(name, address, kVersion12, flags, status);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_version(int* version) {
  return call_despite_error("cudaRuntimeGetVersion",
                            [&](Session&) { result_at(version) = kVersion12; });
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_refuse_old_properties() {
  static std::atomic_flag reported;
  return refuse("cudaGetDeviceProperties of CUDA 11", kNotSupported, reported);
}

HEDDLE_CUDA_12_CALL Error heddle_cuda_12_refuse_several_devices() {
  static std::atomic_flag reported;
  return refuse("cudaLaunchCooperativeKernelMultiDevice", kNotSupported, reported);
}

}  // namespace heddle::cuda
