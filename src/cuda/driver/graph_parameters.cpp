#include "cuda/driver/graph_parameters.h"

#include <cstring>

#include "cuda/driver/call.h"

namespace heddle::cuda::driver {
namespace {

std::size_t texel_bytes(const Session& session, abi::ArrayHandle array) {
  return session.arrays.get(array).storage->format().texel_bytes();
}

/// One side of the runtime's description of a copy.
struct RuntimeSide {
  abi::ArrayHandle array = nullptr;
  abi::Position position{};
  abi::PitchedPointer pointer{};
};

RuntimeSide runtime_side(const Session& session, const abi::CopySide3D& side,
                         const abi::DriverCopy3D& copy) {
  if (side.level != 0) throw Failure{Error::invalid_value};  // CUDA requires 0.
  RuntimeSide result{.position = {.x = side.x_bytes, .y = side.y, .z = side.z}};
  if (side.kind == abi::MemoryType::array) {
    const std::size_t texel = texel_bytes(session, side.array);
    if (side.x_bytes % texel != 0) throw Failure{Error::invalid_value};
    result.array = side.array;
    result.position.x = side.x_bytes / texel;
    return result;
  }
  const void* const base = side.kind == abi::MemoryType::host ? side.host : pointer_at(side.device);
  result.pointer = {.pointer = const_cast<void*>(base),
                    .pitch = side.pitch == 0 ? copy.width_bytes : side.pitch,
                    .width = copy.width_bytes,
                    .height = side.height == 0 ? copy.height : side.height};
  return result;
}

abi::CopySide3D driver_side(const Session& session, const RuntimeSide& side) {
  abi::CopySide3D result{};
  result.x_bytes = side.position.x;
  result.y = side.position.y;
  result.z = side.position.z;
  if (side.array != nullptr) {
    result.kind = abi::MemoryType::array;
    result.array = side.array;
    result.x_bytes *= texel_bytes(session, side.array);
    return result;
  }
  const bool is_device = in_device_memory(side.pointer.pointer);
  result.kind = is_device ? abi::MemoryType::device : abi::MemoryType::host;
  if (is_device) {
    result.device = address_of(side.pointer.pointer);
  } else {
    result.host = side.pointer.pointer;
  }
  result.pitch = side.pointer.pitch;
  result.height = side.pointer.height;
  return result;
}

/// The array that determines the unit of a copy's width; null if there is none.
abi::ArrayHandle array_of(const abi::Copy3D& copy) {
  return copy.to_array != nullptr ? copy.to_array : copy.from_array;
}

}  // namespace

abi::Copy3D runtime_copy(const Session& session, const abi::DriverCopy3D& copy) {
  const RuntimeSide to = runtime_side(session, copy.to, copy);
  const RuntimeSide from = runtime_side(session, copy.from, copy);
  abi::Copy3D result{.from_array = from.array,
                     .from_position = from.position,
                     .from_pointer = from.pointer,
                     .to_array = to.array,
                     .to_position = to.position,
                     .to_pointer = to.pointer,
                     .extent = {copy.width_bytes, copy.height, copy.depth},
                     .kind = abi::CopyKind::by_address};
  if (const abi::ArrayHandle array = array_of(result)) {
    if (copy.width_bytes % texel_bytes(session, array) != 0) throw Failure{Error::invalid_value};
    result.extent.width /= texel_bytes(session, array);
  }
  return result;
}

abi::DriverCopy3D driver_copy(const Session& session, const abi::Copy3D& copy) {
  abi::DriverCopy3D result{};
  result.from = driver_side(
      session,
      {.array = copy.from_array, .position = copy.from_position, .pointer = copy.from_pointer});
  result.to = driver_side(
      session, {.array = copy.to_array, .position = copy.to_position, .pointer = copy.to_pointer});
  result.width_bytes = copy.extent.width;
  if (const abi::ArrayHandle array = array_of(copy)) {
    result.width_bytes *= texel_bytes(session, array);
  }
  result.height = copy.extent.height;
  result.depth = copy.extent.depth;
  return result;
}

abi::KernelNode runtime_kernel(const abi::DriverKernelNode& kernel) {
  abi::KernelNode result = kernel.common;
  if (result.function == nullptr) result.function = kernel.kernel;
  return result;
}

abi::DriverKernelNode driver_kernel(const abi::KernelNode& kernel) {
  return {.common = kernel, .kernel = nullptr, .context = nullptr};
}

abi::NodeParameters runtime_parameters(const Session& session,
                                       const abi::DriverNodeParameters& parameters) {
  static_assert(sizeof(abi::NodeParameters) == sizeof(abi::DriverNodeParameters));
  abi::NodeParameters result{};
  // Only the parameters of kernels and copies differ.
  std::memcpy(&result, &parameters, sizeof result);
  if (parameters.type == abi::NodeType::kernel) {
    result.details.kernel = runtime_kernel(parameters.details.kernel);
  } else if (parameters.type == abi::NodeType::copy) {
    result.details.copy = {
        .flags = 0, .reserved = {}, .copy = runtime_copy(session, parameters.details.copy.copy)};
  }
  return result;
}

void return_results(const abi::NodeParameters& from, abi::DriverNodeParameters& to) {
  if (to.type == abi::NodeType::allocate) {
    to.details.allocation.pointer = from.details.allocation.pointer;
  } else if (to.type == abi::NodeType::conditional) {
    to.details.conditional.bodies = from.details.conditional.bodies;
  }
}

}  // namespace heddle::cuda::driver
