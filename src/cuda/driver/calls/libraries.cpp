// The driver's calls for libraries: modules that do not belong to a context.

#include <vector>

#include "cuda/driver/call.h"
#include "cuda/driver/jit_options.h"
#include "cuda/runtime/loading.h"

namespace heddle::cuda::driver {
namespace {

/// Loads a library. Its library options are ignored: it is always loaded completely within the
/// call.
void load(Session& session, void** result, std::vector<device::PtxSource> texts,
          const JitOptions& options) {
  void*& library = result_at(result);
  library = &load_module(session, std::move(texts), options);
}

Result find_variable(const char* call_name, abi::DevicePointer* address, std::size_t* bytes,
                     void* library, const char* name) {
  return in_context(call_name, [&](Session&) {
    void* pointer = nullptr;
    require(cudaLibraryGetGlobal(&pointer, bytes, library, name));
    if (address != nullptr) *address = address_of(pointer);
  });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuLibraryLoadData(void** library, const void* code,
                                            const abi::JitOption* options, void** values,
                                            unsigned count, const int*, void**, unsigned) {
  return once_initialised("cuLibraryLoadData", [&](Session& session) {
    load(session, library, sources_of(code, "loaded.ptx"), JitOptions(count, options, values));
  });
}

HEDDLE_CUDA_EXPORT Result cuLibraryLoadFromFile(void** library, const char* file,
                                                const abi::JitOption* options, void** values,
                                                unsigned count, const int*, void**, unsigned) {
  return once_initialised("cuLibraryLoadFromFile", [&](Session& session) {
    load(session, library, sources_of_file(file), JitOptions(count, options, values));
  });
}

HEDDLE_CUDA_EXPORT Result cuLibraryUnload(void* library) {
  return once_initialised("cuLibraryUnload",
                          [&](Session&) { require(cudaLibraryUnload(library)); });
}

HEDDLE_CUDA_EXPORT Result cuLibraryGetKernel(abi::FunctionHandle* kernel, void* library,
                                             const char* name) {
  return once_initialised("cuLibraryGetKernel",
                          [&](Session&) { require(cudaLibraryGetKernel(kernel, library, name)); });
}

HEDDLE_CUDA_EXPORT Result cuLibraryGetKernelCount(unsigned* count, void* library) {
  return once_initialised("cuLibraryGetKernelCount",
                          [&](Session&) { require(cudaLibraryGetKernelCount(count, library)); });
}

HEDDLE_CUDA_EXPORT Result cuLibraryEnumerateKernels(abi::FunctionHandle* kernels, unsigned capacity,
                                                    void* library) {
  return once_initialised("cuLibraryEnumerateKernels", [&](Session&) {
    require(cudaLibraryEnumerateKernels(kernels, capacity, library));
  });
}

HEDDLE_CUDA_EXPORT Result cuLibraryGetModule(void** module, void* library) {
  return in_context("cuLibraryGetModule",
                    [&](Session& session) { result_at(module) = &module_at(session, library); });
}

HEDDLE_CUDA_EXPORT Result cuLibraryGetGlobal(abi::DevicePointer* address, std::size_t* bytes,
                                             void* library, const char* name) {
  return find_variable("cuLibraryGetGlobal", address, bytes, library, name);
}

HEDDLE_CUDA_EXPORT Result cuLibraryGetManaged(abi::DevicePointer* address, std::size_t* bytes,
                                              void* library, const char* name) {
  return find_variable("cuLibraryGetManaged", address, bytes, library, name);
}

}  // namespace heddle::cuda::driver
