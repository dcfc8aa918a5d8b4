// The runtime's calls for the attributes and the occupancy of kernels.

#include <algorithm>
#include <string>
#include <vector>

#include "cuda/fatbin/fat_binary.h"
#include "cuda/runtime/call.h"
#include "cuda/runtime/launch_limits.h"

namespace heddle::cuda {
namespace {

abi::FunctionAttributes attributes_of(const code::FunctionInfo& info, const Function& function,
                                      const gpu::Machine& machine) {
  abi::FunctionAttributes attributes{};
  attributes.static_shared_bytes = info.shared_bytes - info.reserved_shared_bytes;
  attributes.constant_bytes = info.constant_bytes;
  attributes.local_bytes = info.local_bytes;
  attributes.max_threads = static_cast<int>(max_threads(info, machine));
  attributes.registers = static_cast<int>(info.registers_per_thread);
  // Header-only libraries select among their compiled variants by this version.
  attributes.ptx_version = static_cast<int>(function.module->target().number);
  attributes.binary_version = static_cast<int>(kReportedCapability.number);
  const std::uint32_t total = default_max_shared_bytes(machine);
  const std::uint32_t default_max = total - std::min(total, info.shared_bytes);
  attributes.max_dynamic_shared_bytes =
      static_cast<int>(std::max(function.max_dynamic_shared_bytes, default_max));
  attributes.carveout = function.carveout;
  return attributes;
}

void set_attribute(Session& session, Function& function, abi::FunctionAttribute attribute,
                   int value) {
  switch (attribute) {
    case abi::FunctionAttribute::max_dynamic_shared_bytes: {
      const code::FunctionInfo& info = info_of(function, session.device());
      const std::uint32_t max = max_shared_bytes(session.simulation().machine());
      if (value < 0 || info.shared_bytes + std::uint64_t(value) > max) {
        throw Failure{Error::invalid_value};
      }
      function.max_dynamic_shared_bytes = static_cast<std::uint32_t>(value);
      return;
    }
    case abi::FunctionAttribute::carveout:
      if (value < -1 || value > 100) throw Failure{Error::invalid_value};
      function.carveout = value;
      return;
  }
  throw Failure{Error::not_supported, "Heddle does not support function attribute " +
                                          std::to_string(static_cast<int>(attribute))};
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaFuncGetAttributes(abi::FunctionAttributes* attributes,
                                               const void* function) {
  return call("cudaFuncGetAttributes", [&](Session& session) {
    const Function& kernel = session.modules.function(function);
    result_at(attributes) =
        attributes_of(info_of(kernel, session.device()), kernel, session.simulation().machine());
  });
}

HEDDLE_CUDA_EXPORT Error cudaKernelSetAttributeForDevice(abi::KernelHandle kernel,
                                                         abi::FunctionAttribute attribute,
                                                         int value, int device) {
  return call("cudaKernelSetAttributeForDevice", [&](Session& session) {
    check_device(device);
    set_attribute(session, session.modules.function(kernel), attribute, value);
  });
}

HEDDLE_CUDA_EXPORT Error cudaFuncSetAttribute(const void* function,
                                              abi::FunctionAttribute attribute, int value) {
  return call("cudaFuncSetAttribute", [&](Session& session) {
    set_attribute(session, session.modules.function(function), attribute, value);
  });
}

/// The preferences for caches and banks have no effect: the machine's description sets the sizes of
/// L1 and shared memory, and the width of banks.
HEDDLE_CUDA_EXPORT Error cudaFuncSetCacheConfig(const void* function, int) {
  return call("cudaFuncSetCacheConfig",
              [&](Session& session) { session.modules.function(function); });
}

HEDDLE_CUDA_EXPORT Error cudaFuncSetSharedMemConfig(const void* function, int) {
  return call("cudaFuncSetSharedMemConfig",
              [&](Session& session) { session.modules.function(function); });
}

HEDDLE_CUDA_EXPORT Error cudaFuncGetName(const char** name, const void* function) {
  return call("cudaFuncGetName", [&](Session& session) {
    result_at(name) = session.modules.function(function).name.c_str();
  });
}

HEDDLE_CUDA_EXPORT Error cudaGetFuncBySymbol(void** handle, const void* function) {
  return call("cudaGetFuncBySymbol",
              [&](Session& session) { result_at(handle) = &session.modules.function(function); });
}

HEDDLE_CUDA_EXPORT Error cudaFuncGetParamInfo(const void* function, std::size_t index,
                                              std::size_t* offset, std::size_t* bytes) {
  return call("cudaFuncGetParamInfo", [&](Session& session) {
    const std::vector<code::Parameter>& parameters =
        info_of(session.modules.function(function), session.device()).parameters;
    if (index >= parameters.size()) throw Failure{Error::invalid_value};
    result_at(offset) = parameters[index].offset;
    if (bytes != nullptr) *bytes = parameters[index].size;
  });
}

HEDDLE_CUDA_EXPORT Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int* blocks, const void* function, int threads, std::size_t dynamic_shared_bytes, unsigned) {
  return call("cudaOccupancyMaxActiveBlocksPerMultiprocessor", [&](Session& session) {
    if (threads <= 0) throw Failure{Error::invalid_value};
    const Function& kernel = session.modules.function(function);
    result_at(blocks) = static_cast<int>(max_blocks_per_multiprocessor(
        info_of(kernel, session.device()), static_cast<std::uint64_t>(threads),
        dynamic_shared_bytes, session.simulation().machine()));
  });
}

HEDDLE_CUDA_EXPORT Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    int* blocks, const void* function, int threads, std::size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads,
                                                                dynamic_shared_bytes, 0);
}

HEDDLE_CUDA_EXPORT Error cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes,
                                                                   const void* function, int blocks,
                                                                   int threads) {
  return call("cudaOccupancyAvailableDynamicSMemPerBlock", [&](Session& session) {
    if (blocks <= 0 || threads <= 0) throw Failure{Error::invalid_value};
    const gpu::Machine& machine = session.simulation().machine();
    const code::FunctionInfo& info = info_of(session.modules.function(function), session.device());
    const auto fits = [&](std::uint64_t dynamic_shared_bytes) {
      return max_blocks_per_multiprocessor(info, static_cast<std::uint64_t>(threads),
                                           dynamic_shared_bytes,
                                           machine) >= static_cast<std::uint32_t>(blocks);
    };
    // Binary search for the largest size that fits. It covers sizes below 2 MiB; no block can have
    // more shared memory.
    std::uint64_t largest = 0;
    for (std::uint64_t step = std::uint64_t{1} << 20; step != 0; step /= 2) {
      if (fits(largest + step)) largest += step;
    }
    result_at(bytes) = largest;
  });
}

}  // namespace heddle::cuda
