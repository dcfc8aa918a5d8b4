// The driver's calls for devices. There is exactly one device, with number 0.

#include <algorithm>
#include <cstring>

#include "cuda/driver/call.h"
#include "cuda/runtime/device_properties.h"

namespace heddle::cuda::driver {
namespace {

abi::DeviceProperties properties(Session& session) {
  return properties_of(session.simulation().machine(), session.device().memory().capacity());
}

int core_kilohertz(Session& session) {
  constexpr int kCoreKilohertzAttribute = 13;
  return device_attribute(kCoreKilohertzAttribute, session.simulation().machine(), 0);
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuDeviceGet(int* device, int number) {
  return once_initialised("cuDeviceGet", [&](Session&) {
    check_device(number);
    result_at(device) = number;
  });
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetCount(int* count) {
  return once_initialised("cuDeviceGetCount", [&](Session&) { result_at(count) = 1; });
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetName(char* name, int capacity, int device) {
  return once_initialised("cuDeviceGetName", [&](Session& session) {
    check_device(device);
    if (name == nullptr || capacity <= 0) throw Failure{Error::invalid_value};
    const abi::DeviceProperties found = properties(session);
    const std::size_t size =
        std::min(std::strlen(found.name), static_cast<std::size_t>(capacity) - 1);
    std::memcpy(name, found.name, size);
    name[size] = '\0';
  });
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetUuid_v2(abi::Uuid* uuid, int device) {
  return once_initialised("cuDeviceGetUuid", [&](Session& session) {
    check_device(device);
    std::memcpy(result_at(uuid).bytes, properties(session).uuid, sizeof uuid->bytes);
  });
}

HEDDLE_CUDA_EXPORT Result cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
  return once_initialised("cuDeviceTotalMem", [&](Session& session) {
    check_device(device);
    result_at(bytes) = session.device().memory().capacity();
  });
}

/// Attributes have the same numbers in the driver API and in the runtime API.
HEDDLE_CUDA_EXPORT Result cuDeviceGetAttribute(int* value, int attribute, int device) {
  return once_initialised("cuDeviceGetAttribute", [&](Session&) {
    require(cudaDeviceGetAttribute(value, attribute, device));
  });
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetProperties(abi::OldDeviceProperties* result, int device) {
  return once_initialised("cuDeviceGetProperties", [&](Session& session) {
    check_device(device);
    const abi::DeviceProperties p = properties(session);
    result_at(result) = {
        .max_threads_per_block = p.max_threads_per_block,
        .max_block_extent = {p.max_block_extent[0], p.max_block_extent[1], p.max_block_extent[2]},
        .max_grid_extent = {p.max_grid_extent[0], p.max_grid_extent[1], p.max_grid_extent[2]},
        .shared_bytes_per_block = static_cast<int>(p.shared_bytes_per_block),
        .constant_bytes = static_cast<int>(p.constant_bytes),
        .warp_size = p.warp_size,
        .max_pitch = static_cast<int>(p.max_pitch),
        .registers_per_block = p.registers_per_block,
        .kilohertz = core_kilohertz(session),
        .texture_alignment = static_cast<int>(p.texture_alignment),
    };
  });
}

HEDDLE_CUDA_EXPORT Result cuDeviceComputeCapability(int* major, int* minor, int device) {
  return once_initialised("cuDeviceComputeCapability", [&](Session& session) {
    check_device(device);
    const abi::DeviceProperties found = properties(session);
    result_at(major) = found.major;
    result_at(minor) = found.minor;
  });
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetPCIBusId(char* text, int capacity, int device) {
  return once_initialised("cuDeviceGetPCIBusId", [&](Session&) {
    require(cudaDeviceGetPCIBusId(text, capacity, device));
  });
}

HEDDLE_CUDA_EXPORT Result cuDeviceGetByPCIBusId(int* device, const char* text) {
  return once_initialised("cuDeviceGetByPCIBusId",
                          [&](Session&) { require(cudaDeviceGetByPCIBusId(device, text)); });
}

HEDDLE_CUDA_EXPORT Result cuDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return once_initialised("cuDeviceCanAccessPeer", [&](Session&) {
    require(cudaDeviceCanAccessPeer(can_access, device, peer));
  });
}

}  // namespace heddle::cuda::driver
