// The driver's fills of device memory with values of one, two and four bytes.

#include <algorithm>
#include <array>

#include "cuda/driver/call.h"
#include "cuda/runtime/row_copies.h"

namespace heddle::cuda::driver {
namespace {

/// The device memory to fill.
struct Region {
  abi::DevicePointer begin = 0;
  std::size_t pitch = 0;  ///< Bytes from one row to the next.
  std::size_t width = 0;  ///< In values.
  std::size_t height = 1;
};

/// Fills one row of device memory with `count` values, by copies of up to 4096 values each.
template <class Value>
void fill_row(Session& session, abi::DevicePointer begin, Value value, std::size_t count) {
  std::array<Value, 4096> buffer;
  buffer.fill(value);
  while (count != 0) {
    const std::size_t part = std::min(count, buffer.size());
    copy(session, linear_place(pointer_at(begin)), linear_place(buffer.data()),
         {.row_bytes = part * sizeof(Value)}, abi::CopyKind::by_address);
    begin += part * sizeof(Value);
    count -= part;
  }
}

template <class Value>
Result fill_with(const char* name, const Region& to, Value value, abi::StreamHandle stream) {
  return in_context(name, [&](Session& session) {
    session.check_stream(stream);
    const std::size_t bytes = to.width * sizeof(Value);
    if (to.begin % sizeof(Value) != 0 || (to.height > 1 && to.pitch % sizeof(Value) != 0)) {
      throw Failure{Error::invalid_value};
    }
    if constexpr (sizeof(Value) == 1) {
      fill(session, linear_place(pointer_at(to.begin), to.pitch), value,
           {.row_bytes = bytes, .rows = to.height});
    } else {
      if (bytes == 0 || to.height == 0) return;
      if (!in_device_memory(pointer_at(to.begin)) || (to.height > 1 && to.pitch < bytes)) {
        throw Failure{Error::invalid_value};
      }
      for (std::size_t y = 0; y < to.height; ++y) {
        fill_row(session, to.begin + y * to.pitch, value, to.width);
      }
    }
  });
}

}  // namespace

#define HEDDLE_FILL(name, Value)                                                                 \
  HEDDLE_CUDA_EXPORT Result cuMemset##name##Async(abi::DevicePointer to, Value value,            \
                                                  std::size_t count, abi::StreamHandle stream) { \
    return fill_with("cuMemset" #name, {.begin = to, .width = count}, value, stream);            \
  }                                                                                              \
  HEDDLE_CUDA_EXPORT Result cuMemset##name##_v2(abi::DevicePointer to, Value value,              \
                                                std::size_t count) {                             \
    return cuMemset##name##Async(to, value, count, nullptr);                                     \
  }
HEDDLE_FILL(D8, std::uint8_t)
HEDDLE_FILL(D16, std::uint16_t)
HEDDLE_FILL(D32, std::uint32_t)

#define HEDDLE_FILL_ROWS(name, Value)                                                             \
  HEDDLE_CUDA_EXPORT Result cuMemset##name##Async(abi::DevicePointer to, std::size_t pitch,       \
                                                  Value value, std::size_t width,                 \
                                                  std::size_t height, abi::StreamHandle stream) { \
    return fill_with("cuMemset" #name,                                                            \
                     {.begin = to, .pitch = pitch, .width = width, .height = height}, value,      \
                     stream);                                                                     \
  }                                                                                               \
  HEDDLE_CUDA_EXPORT Result cuMemset##name##_v2(abi::DevicePointer to, std::size_t pitch,         \
                                                Value value, std::size_t width,                   \
                                                std::size_t height) {                             \
    return cuMemset##name##Async(to, pitch, value, width, height, nullptr);                       \
  }
HEDDLE_FILL_ROWS(D2D8, std::uint8_t)
HEDDLE_FILL_ROWS(D2D16, std::uint16_t)
HEDDLE_FILL_ROWS(D2D32, std::uint32_t)

}  // namespace heddle::cuda::driver
