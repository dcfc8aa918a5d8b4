// The runtime's copies to and from arrays, and its three-dimensional copies. They complete within
// the call, unless the stream captures them.

#include <algorithm>

#include "cuda/runtime/call.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda {
namespace {

/// A position in an array, with x in bytes.
ArrayPlace array_place(Session& session, abi::ArrayHandle array, std::size_t x_bytes,
                       std::size_t y) {
  return {.array = &session.arrays.get(array), .x_bytes = x_bytes, .y = y};
}

std::uint32_t texel_bytes(const Array& array) { return array.storage->format().texel_bytes(); }

/// Splits a linear copy to or from an array at the ends of the array's rows. Calls `copy_row` for
/// each part with its place in the array, its offset in the copy and its size, in bytes.
template <class CopyRow>
void for_each_row(const Array& array, std::size_t x_bytes, std::size_t y, std::size_t bytes,
                  CopyRow copy_row) {
  const std::size_t row_bytes = array.extent.width * texel_bytes(array);
  std::size_t offset = 0;
  while (offset < bytes) {
    if (x_bytes >= row_bytes) throw Failure{Error::invalid_value};
    const std::size_t part_bytes = std::min(bytes - offset, row_bytes - x_bytes);
    copy_row(ArrayPlace{.array = &array, .x_bytes = x_bytes, .y = y}, offset, part_bytes);
    offset += part_bytes;
    x_bytes = 0;
    ++y;
  }
}

}  // namespace

HEDDLE_CUDA_EXPORT Error cudaMemcpy3DAsync(const abi::Copy3D* copy, abi::StreamHandle stream) {
  return call("cudaMemcpy3D",
              [&](Session& session) { enqueue_copy(session, stream, result_at(copy)); });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy3D(const abi::Copy3D* copy) {
  return cudaMemcpy3DAsync(copy, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy2DToArrayAsync(abi::ArrayHandle to, std::size_t x_bytes,
                                                  std::size_t y, const void* from,
                                                  std::size_t pitch, std::size_t width,
                                                  std::size_t height, abi::CopyKind kind,
                                                  abi::StreamHandle stream) {
  return call("cudaMemcpy2DToArray", [&](Session& session) {
    enqueue_copy(session, stream, array_place(session, to, x_bytes, y), linear_place(from, pitch),
                 {.row_bytes = width, .rows = height}, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy2DToArray(abi::ArrayHandle to, std::size_t x_bytes,
                                             std::size_t y, const void* from, std::size_t pitch,
                                             std::size_t width, std::size_t height,
                                             abi::CopyKind kind) {
  return cudaMemcpy2DToArrayAsync(to, x_bytes, y, from, pitch, width, height, kind, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy2DFromArrayAsync(void* to, std::size_t pitch,
                                                    abi::ArrayHandle from, std::size_t x_bytes,
                                                    std::size_t y, std::size_t width,
                                                    std::size_t height, abi::CopyKind kind,
                                                    abi::StreamHandle stream) {
  return call("cudaMemcpy2DFromArray", [&](Session& session) {
    enqueue_copy(session, stream, linear_place(to, pitch), array_place(session, from, x_bytes, y),
                 {.row_bytes = width, .rows = height}, kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy2DFromArray(void* to, std::size_t pitch, abi::ArrayHandle from,
                                               std::size_t x_bytes, std::size_t y,
                                               std::size_t width, std::size_t height,
                                               abi::CopyKind kind) {
  return cudaMemcpy2DFromArrayAsync(to, pitch, from, x_bytes, y, width, height, kind, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemcpy2DArrayToArray(abi::ArrayHandle to, std::size_t to_x,
                                                  std::size_t to_y, abi::ArrayHandle from,
                                                  std::size_t from_x, std::size_t from_y,
                                                  std::size_t width, std::size_t height,
                                                  abi::CopyKind kind) {
  return call("cudaMemcpy2DArrayToArray", [&](Session& session) {
    enqueue_copy(session, nullptr, array_place(session, to, to_x, to_y),
                 array_place(session, from, from_x, from_y), {.row_bytes = width, .rows = height},
                 kind);
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyToArrayAsync(abi::ArrayHandle to, std::size_t x_bytes,
                                                std::size_t y, const void* from, std::size_t bytes,
                                                abi::CopyKind kind, abi::StreamHandle stream) {
  return call("cudaMemcpyToArray", [&](Session& session) {
    for_each_row(session.arrays.get(to), x_bytes, y, bytes,
                 [&](const ArrayPlace& row, std::size_t offset, std::size_t part_bytes) {
                   enqueue_copy(session, stream, row,
                                linear_place(static_cast<const std::byte*>(from) + offset),
                                {.row_bytes = part_bytes}, kind);
                 });
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyToArray(abi::ArrayHandle to, std::size_t x_bytes, std::size_t y,
                                           const void* from, std::size_t bytes,
                                           abi::CopyKind kind) {
  return cudaMemcpyToArrayAsync(to, x_bytes, y, from, bytes, kind, nullptr);
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyFromArrayAsync(void* to, abi::ArrayHandle from,
                                                  std::size_t x_bytes, std::size_t y,
                                                  std::size_t bytes, abi::CopyKind kind,
                                                  abi::StreamHandle stream) {
  return call("cudaMemcpyFromArray", [&](Session& session) {
    for_each_row(session.arrays.get(from), x_bytes, y, bytes,
                 [&](const ArrayPlace& row, std::size_t offset, std::size_t part_bytes) {
                   enqueue_copy(session, stream, linear_place(static_cast<std::byte*>(to) + offset),
                                row, {.row_bytes = part_bytes}, kind);
                 });
  });
}

HEDDLE_CUDA_EXPORT Error cudaMemcpyFromArray(void* to, abi::ArrayHandle from, std::size_t x_bytes,
                                             std::size_t y, std::size_t bytes, abi::CopyKind kind) {
  return cudaMemcpyFromArrayAsync(to, from, x_bytes, y, bytes, kind, nullptr);
}

}  // namespace heddle::cuda
