// The driver's copies of two and three dimensions, and its copies to and from arrays.

#include <vector>

#include "cuda/driver/call.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda::driver {
namespace {

/// The place of one side of a copy. `slice_pitch` is the number of bytes from one slice to the
/// next, and `z` is the first slice.
template <class Side>
CopyPlace place_of(Session& session, const Side& side, std::size_t slice_pitch, std::size_t z) {
  const void* base = nullptr;
  switch (side.kind) {
    case abi::MemoryType::array:
      return ArrayPlace{
          .array = &session.arrays.get(side.array), .x_bytes = side.x_bytes, .y = side.y, .z = z};
    case abi::MemoryType::host:
      base = side.host;
      break;
    case abi::MemoryType::device:
    case abi::MemoryType::unified:
      base = pointer_at(side.device);
      break;
    default:
      throw Failure{Error::invalid_value};
  }
  LinearPlace place = linear_place(base, side.pitch, slice_pitch);
  if (place.base != nullptr) place.base += z * slice_pitch + side.y * side.pitch + side.x_bytes;
  return place;
}

/// Throws Failure for a pointer that is declared as one to device memory but is not. A pointer that
/// is declared as one to host memory may be any address that the host can access.
template <class Side>
void check_side(const Side& side) {
  if (side.kind == abi::MemoryType::device && !in_device_memory(pointer_at(side.device))) {
    throw Failure{Error::invalid_value};
  }
}

Result copy_2d(const char* name, const abi::DriverCopy2D* requested, abi::StreamHandle stream) {
  return in_context(name, [&](Session& session) {
    const abi::DriverCopy2D& parameters = result_at(requested);
    check_side(parameters.from);
    check_side(parameters.to);
    enqueue_copy(session, stream, place_of(session, parameters.to, 0, 0),
                 place_of(session, parameters.from, 0, 0),
                 {.row_bytes = parameters.width_bytes, .rows = parameters.height},
                 abi::CopyKind::by_address);
  });
}

CopyPlace place_of(Session& session, const abi::CopySide3D& side) {
  if (side.level != 0) throw Failure{Error::invalid_value};  // CUDA requires 0.
  return place_of(session, side, side.pitch * side.height, side.z);
}

/// A position in an array, for copies that address the array by a byte offset.
struct ArrayPosition {
  std::size_t x_bytes, y;
};
ArrayPosition position_of(Session& session, abi::ArrayHandle handle, std::size_t offset) {
  const Array& array = session.arrays.get(handle);
  const std::size_t row = array.extent.width * array.storage->format().texel_bytes();
  return {.x_bytes = offset % row, .y = offset / row};
}

Result to_array(const char* name, abi::ArrayHandle to, std::size_t offset, const void* from,
                std::size_t bytes, abi::CopyKind kind, abi::StreamHandle stream = nullptr) {
  return in_context(name, [&](Session& session) {
    const ArrayPosition at = position_of(session, to, offset);
    require(cudaMemcpyToArrayAsync(to, at.x_bytes, at.y, from, bytes, kind, stream));
  });
}

Result from_array(const char* name, void* to, abi::ArrayHandle from, std::size_t offset,
                  std::size_t bytes, abi::CopyKind kind, abi::StreamHandle stream = nullptr) {
  return in_context(name, [&](Session& session) {
    const ArrayPosition at = position_of(session, from, offset);
    require(cudaMemcpyFromArrayAsync(to, from, at.x_bytes, at.y, bytes, kind, stream));
  });
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuMemcpy2DAsync_v2(const abi::DriverCopy2D* copy,
                                             abi::StreamHandle stream) {
  return copy_2d("cuMemcpy2D", copy, stream);
}

HEDDLE_CUDA_EXPORT Result cuMemcpy2D_v2(const abi::DriverCopy2D* copy) {
  return copy_2d("cuMemcpy2D", copy, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpy2DUnaligned_v2(const abi::DriverCopy2D* copy) {
  return copy_2d("cuMemcpy2DUnaligned", copy, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpy3DAsync_v2(const abi::DriverCopy3D* requested,
                                             abi::StreamHandle stream) {
  return in_context("cuMemcpy3D", [&](Session& session) {
    const abi::DriverCopy3D& parameters = result_at(requested);
    check_side(parameters.from);
    check_side(parameters.to);
    enqueue_copy(session, stream, place_of(session, parameters.to),
                 place_of(session, parameters.from),
                 {.row_bytes = parameters.width_bytes,
                  .rows = parameters.height,
                  .slices = parameters.depth},
                 abi::CopyKind::by_address);
  });
}

HEDDLE_CUDA_EXPORT Result cuMemcpy3D_v2(const abi::DriverCopy3D* copy) {
  return cuMemcpy3DAsync_v2(copy, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyHtoAAsync_v2(abi::ArrayHandle to, std::size_t offset,
                                               const void* from, std::size_t bytes,
                                               abi::StreamHandle stream) {
  return to_array("cuMemcpyHtoA", to, offset, from, bytes, abi::CopyKind::host_to_device, stream);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyHtoA_v2(abi::ArrayHandle to, std::size_t offset, const void* from,
                                          std::size_t bytes) {
  return cuMemcpyHtoAAsync_v2(to, offset, from, bytes, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyAtoHAsync_v2(void* to, abi::ArrayHandle from, std::size_t offset,
                                               std::size_t bytes, abi::StreamHandle stream) {
  return from_array("cuMemcpyAtoH", to, from, offset, bytes, abi::CopyKind::device_to_host, stream);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyAtoH_v2(void* to, abi::ArrayHandle from, std::size_t offset,
                                          std::size_t bytes) {
  return cuMemcpyAtoHAsync_v2(to, from, offset, bytes, nullptr);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyDtoA_v2(abi::ArrayHandle to, std::size_t offset,
                                          abi::DevicePointer from, std::size_t bytes) {
  return to_array("cuMemcpyDtoA", to, offset, pointer_at(from), bytes,
                  abi::CopyKind::device_to_device);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyAtoD_v2(abi::DevicePointer to, abi::ArrayHandle from,
                                          std::size_t offset, std::size_t bytes) {
  return from_array("cuMemcpyAtoD", pointer_at(to), from, offset, bytes,
                    abi::CopyKind::device_to_device);
}

HEDDLE_CUDA_EXPORT Result cuMemcpyAtoA_v2(abi::ArrayHandle to, std::size_t to_offset,
                                          abi::ArrayHandle from, std::size_t from_offset,
                                          std::size_t bytes) {
  return in_context("cuMemcpyAtoA", [&](Session& session) {
    const ArrayPosition source = position_of(session, from, from_offset);
    const ArrayPosition target = position_of(session, to, to_offset);
    std::vector<std::byte> buffer(bytes);  // The two arrays may have rows of different lengths.
    require(cudaMemcpyFromArrayAsync(buffer.data(), from, source.x_bytes, source.y, bytes,
                                     abi::CopyKind::by_address, nullptr));
    require(cudaMemcpyToArrayAsync(to, target.x_bytes, target.y, buffer.data(), bytes,
                                   abi::CopyKind::by_address, nullptr));
  });
}

}  // namespace heddle::cuda::driver
