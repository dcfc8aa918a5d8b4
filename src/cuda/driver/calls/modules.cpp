// The driver's calls for modules, which a program loads at run time. Modules are unloaded when the
// device's last context is destroyed.

#include <vector>

#include "cuda/driver/call.h"
#include "cuda/driver/jit_options.h"
#include "cuda/runtime/loading.h"

namespace heddle::cuda::driver {
namespace {

void load(Session& session, void** result, std::vector<device::PtxSource> texts,
          const JitOptions& options) {
  void*& module = result_at(result);
  Module& loaded = load_module(session, std::move(texts), options);
  Contexts::instance().add_module(loaded);
  module = &loaded;
}

Result load_data(const char* name, void** module, const void* image, unsigned count,
                 const abi::JitOption* options, void** values) {
  return in_context(name, [&](Session& session) {
    load(session, module, sources_of(image, "loaded.ptx"), JitOptions(count, options, values));
  });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuModuleLoad(void** module, const char* file) {
  return in_context("cuModuleLoad",
                    [&](Session& session) { load(session, module, sources_of_file(file), {}); });
}

HEDDLE_CUDA_EXPORT Result cuModuleLoadData(void** module, const void* image) {
  return load_data("cuModuleLoadData", module, image, 0, nullptr, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuModuleLoadDataEx(void** module, const void* image, unsigned count,
                                             const abi::JitOption* options, void** values) {
  return load_data("cuModuleLoadDataEx", module, image, count, options, values);
}

HEDDLE_CUDA_EXPORT Result cuModuleLoadFatBinary(void** module, const void* image) {
  return load_data("cuModuleLoadFatBinary", module, image, 0, nullptr, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuModuleUnload(void* module) {
  return in_context("cuModuleUnload", [&](Session& session) {
    Module& object = module_at(session, module);
    // The module of a library is unloaded with the library, not by this call.
    if (!Contexts::instance().has_module(object)) throw Failure{Error::invalid_resource_handle};
    Contexts::instance().remove_module(object);
    session.modules.remove(object, session.device_if_created());
  });
}

HEDDLE_CUDA_EXPORT Result cuModuleGetLoadingMode(int* mode) {
  return once_initialised("cuModuleGetLoadingMode", [&](Session&) {
    constexpr int kEager = 1;  // CU_MODULE_EAGER_LOADING
    result_at(mode) = kEager;
  });
}

HEDDLE_CUDA_EXPORT Result cuModuleGetFunction(abi::FunctionHandle* function, void* module,
                                              const char* name) {
  return in_context("cuModuleGetFunction",
                    [&](Session&) { require(cudaLibraryGetKernel(function, module, name)); });
}

HEDDLE_CUDA_EXPORT Result cuModuleGetFunctionCount(unsigned* count, void* module) {
  return in_context("cuModuleGetFunctionCount",
                    [&](Session&) { require(cudaLibraryGetKernelCount(count, module)); });
}

HEDDLE_CUDA_EXPORT Result cuModuleEnumerateFunctions(abi::FunctionHandle* functions,
                                                     unsigned capacity, void* module) {
  return in_context("cuModuleEnumerateFunctions", [&](Session&) {
    require(cudaLibraryEnumerateKernels(functions, capacity, module));
  });
}

HEDDLE_CUDA_EXPORT Result cuModuleGetGlobal_v2(abi::DevicePointer* address, std::size_t* bytes,
                                               void* module, const char* name) {
  return in_context("cuModuleGetGlobal", [&](Session&) {
    void* pointer = nullptr;
    require(cudaLibraryGetGlobal(&pointer, bytes, module, name));
    if (address != nullptr) *address = address_of(pointer);
  });
}

}  // namespace heddle::cuda::driver
