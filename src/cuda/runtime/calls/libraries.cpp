// Kernels that a program loads while it runs: PTX, or a fat binary with PTX in it.

#include <cstring>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "cuda/runtime/call.h"
#include "device/loaded_module.h"

namespace heddle::cuda {
namespace {

constexpr std::uint32_t kFatBinary = 0xba55'ed50;
constexpr std::uint32_t kWrapper = 0x4662'43b1;
constexpr std::uint32_t kMachineCode = 0x464c'457f;  ///< ELF.

device::PtxSource source_of(const void* code, const std::string& name) {
  std::uint32_t begin = 0;
  std::memcpy(&begin, code, sizeof begin);
  switch (begin) {
    case kFatBinary:
      return ptx_of(code);
    case kWrapper:
      return ptx_of(static_cast<const FatBinaryWrapper*>(code)->data);
    case kMachineCode:
      throw InputError("it is machine code for some GPU, and Heddle runs PTX only");
    default:
      return {.file = name, .text = static_cast<const char*>(code)};
  }
}

/// What is wrong with the code is found out at once, as the real runtime does.
void load(Session& session, void** library, const void* code, const std::string& name) {
  void*& result = result_at(library);
  if (code == nullptr) throw Failure{Error::invalid_value};
  device::PtxSource source;
  try {
    source = source_of(code, name);
  } catch (const InputError& error) {
    throw Failure{Error::no_image_for_device, error.what()};
  }
  Module& module = session.modules.add(std::vector{std::move(source)});
  try {
    module.load(session.device());
  } catch (...) {
    session.modules.remove(module, nullptr);
    throw;
  }
  result = &module;
}

Module& module_of(Session& session, void* library) {
  Module* const module = session.modules.find(library);
  if (module == nullptr) throw Failure{Error::invalid_resource_handle};
  return *module;
}

std::vector<std::string> kernels_of(Session& session, void* library) {
  std::vector<std::string> names;
  const device::LoadedModule& module = module_of(session, library).load(session.device());
  for (const code::FunctionInfo& function : module.program().functions) {
    if (function.is_kernel) names.push_back(function.name);
  }
  return names;
}

abi::KernelHandle handle_of(Session& session, void* library, const std::string& name) {
  return reinterpret_cast<abi::KernelHandle>(
      &session.modules.function_by_name(module_of(session, library), name));
}

Error find_variable(const char* call_name, void** pointer, std::size_t* bytes, void* library,
                    const char* name) {
  return call(call_name, [&](Session& session) {
    if (name == nullptr) throw Failure{Error::invalid_value};
    const device::LoadedModule& module = module_of(session, library).load(session.device());
    const auto symbol = session.device().find_symbol(module, name);
    if (!symbol) throw Failure{Error::symbol_not_found};
    if (pointer != nullptr) *pointer = session.device().memory().host(symbol->address);
    if (bytes != nullptr) *bytes = symbol->bytes;
  });
}

}  // namespace

/// How to compile is for the machine's description and 'heddle cuda' to say.
HEDDLE_CUDA_EXPORT Error cudaLibraryLoadData(void** library, const void* code, int*, void**,
                                             unsigned, int*, void**, unsigned) {
  return call("cudaLibraryLoadData",
              [&](Session& session) { load(session, library, code, "loaded.ptx"); });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryLoadFromFile(void** library, const char* file, int*, void**,
                                                 unsigned, int*, void**, unsigned) {
  return call("cudaLibraryLoadFromFile", [&](Session& session) {
    if (file == nullptr) throw Failure{Error::invalid_value};
    // A fat binary is copied out of it, so that the bytes may go.
    const std::string code = read_file(file);
    if (code.size() < sizeof kFatBinary) throw Failure{Error::invalid_image};
    load(session, library, code.c_str(), file);
  });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryUnload(void* library) {
  return call("cudaLibraryUnload", [&](Session& session) {
    session.modules.remove(module_of(session, library), session.device_if_made());
  });
}

HEDDLE_CUDA_EXPORT Error cudaLibraryGetKernel(abi::KernelHandle* kernel, void* library,
                                              const char* name) {
  return call("cudaLibraryGetKernel", [&](Session& session) {
    if (name == nullptr) throw Failure{Error::invalid_value};
    for (const std::string& known : kernels_of(session, library)) {
      if (known != name) continue;
      result_at(kernel) = handle_of(session, library, known);
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

HEDDLE_CUDA_EXPORT Error cudaLibraryEnumerateKernels(abi::KernelHandle* kernels, unsigned room,
                                                     void* library) {
  return call("cudaLibraryEnumerateKernels", [&](Session& session) {
    const std::vector<std::string> names = kernels_of(session, library);
    for (std::size_t i = 0; i < names.size() && i < room; ++i) {
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
