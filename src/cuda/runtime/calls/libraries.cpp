// The runtime's calls for libraries: PTX, or a fat binary with PTX, loaded at run time.

#include <string>
#include <vector>

#include "cuda/runtime/call.h"
#include "cuda/runtime/loading.h"
#include "device/loaded_module.h"

namespace heddle::cuda {
namespace {

std::vector<std::string> kernels_of(Session& session, void* library) {
  std::vector<std::string> names;
  const device::LoadedModule& module = module_at(session, library).load(session.device());
  for (const code::FunctionInfo& function : module.program().functions) {
    if (function.is_kernel) names.push_back(function.name);
  }
  return names;
}

abi::KernelHandle handle_of(Session& session, void* library, const std::string& name) {
  return reinterpret_cast<abi::KernelHandle>(
      &session.modules.function_by_name(module_at(session, library), name));
}

Error find_variable(const char* call_name, void** pointer, std::size_t* bytes, void* library,
                    const char* name) {
  return call(call_name, [&](Session& session) {
    if (name == nullptr) throw Failure{Error::invalid_value};
    const device::LoadedModule& module = module_at(session, library).load(session.device());
    const auto symbol = session.device().find_symbol(module, name);
    if (!symbol) throw Failure{Error::symbol_not_found};
    if (pointer != nullptr) *pointer = session.device().memory().host(symbol->address);
    if (bytes != nullptr) *bytes = symbol->bytes;
  });
}

}  // namespace

/// The compiler's options are ignored: the machine's description and the options of 'heddle cuda'
/// determine how code is compiled.
HEDDLE_CUDA_EXPORT Error cudaLibraryLoadData(void** library, const void* code, int*, void**,
                                             unsigned, int*, void**, unsigned) {
  return call("cudaLibraryLoadData", [&](Session& session) {
    void*& result = result_at(library);
    result = &load_module(session, sources_of(code, "loaded.ptx"));
  });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryLoadFromFile(void** library, const char* file, int*, void**,
                                                 unsigned, int*, void**, unsigned) {
  return call("cudaLibraryLoadFromFile", [&](Session& session) {
    void*& result = result_at(library);
    result = &load_module(session, sources_of_file(file));
  });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryUnload(void* library) {
  return call("cudaLibraryUnload", [&](Session& session) {
    session.modules.remove(module_at(session, library), session.device_if_created());
  });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryGetKernel(abi::KernelHandle* kernel, void* library,
                                              const char* name) {
  return call("cudaLibraryGetKernel", [&](Session& session) {
    if (name == nullptr) throw Failure{Error::invalid_value};
    for (const std::string& kernel_name : kernels_of(session, library)) {
      if (kernel_name != name) continue;
      result_at(kernel) = handle_of(session, library, kernel_name);
      return;
    }
    throw Failure{Error::symbol_not_found};
  });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryGetKernelCount(unsigned* count, void* library) {
  return call("cudaLibraryGetKernelCount", [&](Session& session) {
    result_at(count) = static_cast<unsigned>(kernels_of(session, library).size());
  });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryEnumerateKernels(abi::KernelHandle* kernels, unsigned capacity,
                                                     void* library) {
  return call("cudaLibraryEnumerateKernels", [&](Session& session) {
    const std::vector<std::string> names = kernels_of(session, library);
    for (std::size_t i = 0; i < names.size() && i < capacity; ++i) {
      kernels[i] = handle_of(session, library, names[i]);
    }
  });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryGetGlobal(void** pointer, std::size_t* bytes, void* library,
                                              const char* name) {
  return find_variable("cudaLibraryGetGlobal", pointer, bytes, library, name);
}

HEDDLE_CUDA_EXPORT Error cudaLibraryGetManaged(void** pointer, std::size_t* bytes, void* library,
                                               const char* name) {
  return find_variable("cudaLibraryGetManaged", pointer, bytes, library, name);
}

}  // namespace heddle::cuda
