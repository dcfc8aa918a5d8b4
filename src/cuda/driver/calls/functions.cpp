// The driver's calls for kernels. CUkernel is a kernel of all devices, and CUfunction is a kernel
// of one device. Both are the same here, because there is one device.

#include <iterator>

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

int attribute_of(abi::FunctionHandle function, int attribute) {
  abi::FunctionAttributes attributes{};
  require(cudaFuncGetAttributes(&attributes, function));
  const auto bytes = [](std::size_t size) { return static_cast<int>(size); };
  // In the order of the driver's attribute numbers (CUfunction_attribute).
  const int values[] = {attributes.max_threads,
                        bytes(attributes.static_shared_bytes),
                        bytes(attributes.constant_bytes),
                        bytes(attributes.local_bytes),
                        attributes.registers,
                        attributes.ptx_version,
                        attributes.binary_version,
                        attributes.caches_globally,
                        attributes.max_dynamic_shared_bytes,
                        attributes.carveout,
                        attributes.cluster_must_be_set,
                        attributes.cluster[0],
                        attributes.cluster[1],
                        attributes.cluster[2],
                        attributes.nonportable_cluster_size,
                        attributes.cluster_scheduling};
  if (attribute < 0 || attribute >= static_cast<int>(std::size(values))) {
    throw Failure{Error::invalid_value};
  }
  return values[attribute];
}

Function& function_at(Session& session, abi::FunctionHandle handle) {
  return session.modules.function(handle);
}

void set_attribute(abi::FunctionHandle function, int attribute, int value) {
  require(cudaFuncSetAttribute(function, static_cast<abi::FunctionAttribute>(attribute), value));
}

/// Checks the kernel, and has no other effect.
Result accept(const char* name, abi::FunctionHandle function) {
  return in_context(name, [&](Session& session) { function_at(session, function); });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuFuncGetAttribute(int* value, int attribute,
                                             abi::FunctionHandle function) {
  return in_context("cuFuncGetAttribute",
                    [&](Session&) { result_at(value) = attribute_of(function, attribute); });
}

HEDDLE_CUDA_EXPORT Result cuKernelGetAttribute(int* value, int attribute,
                                               abi::FunctionHandle kernel, int device) {
  return once_initialised("cuKernelGetAttribute", [&](Session&) {
    check_device(device);
    result_at(value) = attribute_of(kernel, attribute);
  });
}

HEDDLE_CUDA_EXPORT Result cuFuncSetAttribute(abi::FunctionHandle function, int attribute,
                                             int value) {
  return in_context("cuFuncSetAttribute",
                    [&](Session&) { set_attribute(function, attribute, value); });
}

HEDDLE_CUDA_EXPORT Result cuKernelSetAttribute(int attribute, int value, abi::FunctionHandle kernel,
                                               int device) {
  return once_initialised("cuKernelSetAttribute", [&](Session&) {
    check_device(device);
    set_attribute(kernel, attribute, value);
  });
}

/// The preferences for caches and banks have no effect: the machine's description sets the sizes of
/// L1 and shared memory, and the width of banks.
HEDDLE_CUDA_EXPORT Result cuFuncSetCacheConfig(abi::FunctionHandle function, int) {
  return accept("cuFuncSetCacheConfig", function);
}

HEDDLE_CUDA_EXPORT Result cuKernelSetCacheConfig(abi::FunctionHandle kernel, int, int device) {
  return once_initialised("cuKernelSetCacheConfig", [&](Session& session) {
    check_device(device);
    function_at(session, kernel);
  });
}

HEDDLE_CUDA_EXPORT Result cuFuncSetSharedMemConfig(abi::FunctionHandle function, int) {
  return accept("cuFuncSetSharedMemConfig", function);
}

HEDDLE_CUDA_EXPORT Result cuFuncGetName(const char** name, abi::FunctionHandle function) {
  return once_initialised("cuFuncGetName",
                          [&](Session&) { require(cudaFuncGetName(name, function)); });
}

HEDDLE_CUDA_EXPORT Result cuKernelGetName(const char** name, abi::FunctionHandle kernel) {
  return once_initialised("cuKernelGetName",
                          [&](Session&) { require(cudaFuncGetName(name, kernel)); });
}

HEDDLE_CUDA_EXPORT Result cuFuncGetModule(void** module, abi::FunctionHandle function) {
  return once_initialised("cuFuncGetModule", [&](Session& session) {
    result_at(module) = function_at(session, function).module;
  });
}

HEDDLE_CUDA_EXPORT Result cuKernelGetLibrary(void** library, abi::FunctionHandle kernel) {
  return once_initialised("cuKernelGetLibrary", [&](Session& session) {
    result_at(library) = function_at(session, kernel).module;
  });
}

HEDDLE_CUDA_EXPORT Result cuKernelGetFunction(abi::FunctionHandle* function,
                                              abi::FunctionHandle kernel) {
  return in_context("cuKernelGetFunction", [&](Session& session) {
    function_at(session, kernel);
    result_at(function) = kernel;
  });
}

HEDDLE_CUDA_EXPORT Result cuFuncGetParamInfo(abi::FunctionHandle function, std::size_t index,
                                             std::size_t* offset, std::size_t* bytes) {
  return once_initialised("cuFuncGetParamInfo", [&](Session&) {
    require(cudaFuncGetParamInfo(function, index, offset, bytes));
  });
}

HEDDLE_CUDA_EXPORT Result cuKernelGetParamInfo(abi::FunctionHandle kernel, std::size_t index,
                                               std::size_t* offset, std::size_t* bytes) {
  return once_initialised("cuKernelGetParamInfo", [&](Session&) {
    require(cudaFuncGetParamInfo(kernel, index, offset, bytes));
  });
}

/// A kernel is always loaded, because modules are loaded completely.
HEDDLE_CUDA_EXPORT Result cuFuncIsLoaded(int* state, abi::FunctionHandle function) {
  return in_context("cuFuncIsLoaded", [&](Session& session) {
    function_at(session, function);
    constexpr int kLoaded = 1;
    result_at(state) = kLoaded;
  });
}

HEDDLE_CUDA_EXPORT Result cuFuncLoad(abi::FunctionHandle function) {
  return accept("cuFuncLoad", function);
}

}  // namespace heddle::cuda::driver
