// The runtime's calls for devices. There is exactly one device, with number 0.

#include <algorithm>
#include <cstring>
#include <string_view>

#include "cuda/runtime/call.h"
#include "cuda/runtime/device_properties.h"

namespace heddle::cuda {
namespace {

constexpr std::string_view kBusId = "0000:00:00.0";

using abi::kVersion;
using abi::Limit;

/// The size of printf's buffer that programs see. The size has no effect: all output is printed.
constexpr std::size_t kPrintfBytes = std::size_t{1} << 20;

std::uint64_t memory_bytes(Session& session) { return session.device().memory().capacity(); }

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaGetDeviceCount(int* count) {
  return call_beside_kernel("cudaGetDeviceCount", [&](Session&) { result_at(count) = 1; });
}

HEDDLE_CUDA_EXPORT Error cudaGetDevice(int* device) {
  return call_beside_kernel("cudaGetDevice", [&](Session&) { result_at(device) = 0; });
}

HEDDLE_CUDA_EXPORT Error cudaSetDevice(int device) {
  return call_beside_kernel("cudaSetDevice", [&](Session&) { check_device(device); });
}

HEDDLE_CUDA_EXPORT Error cudaInitDevice(int device, unsigned, unsigned) {
  return cudaSetDevice(device);
}

HEDDLE_CUDA_EXPORT Error cudaSetValidDevices(int* devices, int count) {
  return call("cudaSetValidDevices", [&](Session&) {
    for (int i = 0; i < count; ++i) check_device(devices[i]);
  });
}

HEDDLE_CUDA_EXPORT Error cudaChooseDevice(int* device, const abi::DeviceProperties*) {
  return cudaGetDevice(device);
}

HEDDLE_CUDA_EXPORT Error cudaSetDeviceFlags(unsigned flags) {
  return call("cudaSetDeviceFlags", [&](Session& session) { session.device_flags = flags; });
}

HEDDLE_CUDA_EXPORT Error cudaGetDeviceFlags(unsigned* flags) {
  return call_beside_kernel("cudaGetDeviceFlags",
                            [&](Session& session) { result_at(flags) = session.device_flags; });
}

HEDDLE_CUDA_EXPORT Error cudaGetDeviceProperties(abi::DeviceProperties* properties, int device) {
  return call_beside_kernel("cudaGetDeviceProperties", [&](Session& session) {
    check_device(device);
    result_at(properties) = properties_of(session.simulation().machine(), memory_bytes(session));
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return call_beside_kernel("cudaDeviceGetAttribute", [&](Session& session) {
    check_device(device);
    result_at(value) =
        device_attribute(attribute, session.simulation().machine(), memory_bytes(session));
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceSynchronize() {
  return call("cudaDeviceSynchronize", [](Session& session) {
    session.device();
    session.graphs.captures.refuse_all();
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceReset() {
  last_error() = Error::success;
  return call_despite_error("cudaDeviceReset", [](Session& session) { session.reset(); });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceSetLimit(Limit limit, std::size_t value) {
  return call("cudaDeviceSetLimit", [&](Session& session) {
    switch (limit) {
      case Limit::stack_bytes:
        session.device().set_stack_bytes(static_cast<std::uint32_t>(
            std::min<std::size_t>(value, device::Limits{}.local_bytes_per_thread)));
        return;
      case Limit::heap_bytes:
        session.device().set_heap_bytes(value);
        return;
      case Limit::printf_bytes:
        return;
    }
    throw Failure{Error::unsupported_limit};
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetLimit(std::size_t* value, Limit limit) {
  return call_beside_kernel("cudaDeviceGetLimit", [&](Session& session) {
    const device::DeviceOptions& options = session.device().options();
    switch (limit) {
      case Limit::stack_bytes:
        result_at(value) = options.stack_bytes;
        return;
      case Limit::heap_bytes:
        result_at(value) = options.heap_bytes;
        return;
      case Limit::printf_bytes:
        result_at(value) = kPrintfBytes;
        return;
    }
    throw Failure{Error::unsupported_limit};
  });
}

/// The preferences for caches and banks have no effect: the machine's description sets the sizes of
/// L1 and shared memory, and the width of banks.
HEDDLE_CUDA_EXPORT Error cudaDeviceSetCacheConfig(int) {
  return call("cudaDeviceSetCacheConfig", [](Session&) {});
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetCacheConfig(int* configuration) {
  return call("cudaDeviceGetCacheConfig", [&](Session&) { result_at(configuration) = 0; });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceSetSharedMemConfig(int) {
  return call("cudaDeviceSetSharedMemConfig", [](Session&) {});
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetSharedMemConfig(int* configuration) {
  return call("cudaDeviceGetSharedMemConfig", [&](Session&) {
    constexpr int kFourBytes = 1;  // cudaSharedMemBankSizeFourByte: the width of a bank.
    result_at(configuration) = kFourBytes;
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return call("cudaDeviceGetStreamPriorityRange", [&](Session&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = 0;
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return call("cudaDeviceCanAccessPeer", [&](Session&) {
    check_device(device);
    check_device(peer);
    result_at(can_access) = 0;
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceEnablePeerAccess(int, unsigned) {
  return call("cudaDeviceEnablePeerAccess", [](Session&) { throw Failure{Error::invalid_device}; });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceDisablePeerAccess(int) {
  return call("cudaDeviceDisablePeerAccess",
              [](Session&) { throw Failure{Error::peer_access_not_enabled}; });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetPCIBusId(char* text, int capacity, int device) {
  return call("cudaDeviceGetPCIBusId", [&](Session&) {
    check_device(device);
    if (text == nullptr || capacity <= static_cast<int>(kBusId.size())) {
      throw Failure{Error::invalid_value};
    }
    std::memcpy(text, kBusId.data(), kBusId.size());
    text[kBusId.size()] = '\0';
  });
}

HEDDLE_CUDA_EXPORT Error cudaDeviceGetByPCIBusId(int* device, const char* text) {
  return call("cudaDeviceGetByPCIBusId", [&](Session&) {
    if (text == nullptr || text != kBusId) throw Failure{Error::invalid_device};
    result_at(device) = 0;
  });
}

HEDDLE_CUDA_EXPORT Error cudaDriverGetVersion(int* version) {
  return call_despite_error("cudaDriverGetVersion",
                            [&](Session&) { result_at(version) = kVersion; });
}

HEDDLE_CUDA_EXPORT Error cudaRuntimeGetVersion(int* version) {
  return call_despite_error("cudaRuntimeGetVersion",
                            [&](Session&) { result_at(version) = kVersion; });
}

/// The profiler's calls have no effect: launches are always counted.
HEDDLE_CUDA_EXPORT Error cudaProfilerStart() {
  return call("cudaProfilerStart", [](Session&) {});
}

HEDDLE_CUDA_EXPORT Error cudaProfilerStop() {
  return call("cudaProfilerStop", [](Session&) {});
}

}  // namespace heddle::cuda
