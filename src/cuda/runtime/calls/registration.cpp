// The functions that nvcc's generated code calls before main to register kernels, and at exit.

#include <string>

#include "cuda/runtime/call.h"
#include "cuda/runtime/loading.h"

namespace heddle::cuda {

HEDDLE_CUDA_EXPORT void** __cudaRegisterFatBinary(void* wrapper) {
  void** handle = nullptr;
  call_despite_error("__cudaRegisterFatBinary", [&](Session& session) {
    Module& module = session.modules.add(*static_cast<const FatBinaryWrapper*>(wrapper));
    handle = reinterpret_cast<void**>(&module);
  });
  return handle;
}

HEDDLE_CUDA_EXPORT void __cudaRegisterFatBinaryEnd(void**) {}

HEDDLE_CUDA_EXPORT void __cudaUnregisterFatBinary(void** handle) {
  // A forked child calls this when it ends. Nothing needs to be freed.
  if (Session::instance().is_forked_off()) return;
  call_despite_error("__cudaUnregisterFatBinary", [&](Session& session) {
    // After a kernel has failed, the device accepts no calls, and the module need not be unloaded.
    // Neither need it if a kernel still runs: the program ends without it.
    if (session.runs_kernel_beside_host()) return;
    session.check_beside_kernel();
    session.modules.remove(module_at(session, handle), session.device_if_created());
  });
}

HEDDLE_CUDA_EXPORT void __cudaRegisterFunction(void** handle, const char* host, char*,
                                               const char* name, int, void*, void*, void*, void*,
                                               int*) {
  call_despite_error("__cudaRegisterFunction", [&](Session& session) {
    session.modules.add_function(module_at(session, handle), host, name);
  });
}

HEDDLE_CUDA_EXPORT void __cudaRegisterVar(void** handle, char* host, char*, const char* name, int,
                                          std::size_t, int, int) {
  call_despite_error("__cudaRegisterVar", [&](Session& session) {
    session.modules.add_variable(module_at(session, handle), host, name);
  });
}

HEDDLE_CUDA_EXPORT void __cudaRegisterManagedVar(void** handle, void** pointer, char*,
                                                 const char* name, int, std::size_t, int, int) {
  call_despite_error("__cudaRegisterManagedVar", [&](Session& session) {
    Module& module = module_at(session, handle);
    module.managed_variables.push_back({.pointer = pointer, .name = name});
    session.modules.add_variable(module, pointer, name);
  });
}

HEDDLE_CUDA_EXPORT char __cudaInitModule(void** handle) {
  const Error error = call_beside_kernel("__cudaInitModule", [&](Session& session) {
    module_at(session, handle).load(session.device());
  });
  return error == Error::success ? 1 : 0;
}

}  // namespace heddle::cuda
