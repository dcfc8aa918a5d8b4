// The driver's fills of device memory with values of one, two and four bytes.

#include "cuda/driver/call.h"
#include "cuda/runtime/enqueue.h"

namespace heddle::cuda::driver {
namespace {

/// The device memory to fill.
struct Region {
  abi::DevicePointer begin = 0;
  std::size_t pitch = 0;  ///< Bytes from one row to the next.
  std::size_t width = 0;  ///< In values.
  std::size_t height = 1;
};

template <class Value>
Result fill_with(const char* name, const Region& to, Value value, abi::StreamHandle stream) {
  return in_context(name, [&](Session& session) {
    enqueue_fill(session, stream,
                 {.to = pointer_at(to.begin),
                  .pitch = to.pitch,
                  .value = value,
                  .element_bytes = sizeof(Value),
                  .width = to.width,
                  .height = to.height});
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
