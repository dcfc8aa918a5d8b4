#include "cuda/runtime/fills.h"

#include <algorithm>
#include <array>

#include "cuda/runtime/row_copies.h"

namespace heddle::cuda {
namespace {

/// Fills one row of device memory with `count` values, by copies of up to 4096 values each.
template <class Value>
void fill_row(Session& session, std::byte* begin, Value value, std::size_t count) {
  std::array<Value, 4096> buffer;
  buffer.fill(value);
  while (count != 0) {
    const std::size_t part = std::min(count, buffer.size());
    copy(session, linear_place(begin), linear_place(buffer.data()),
         {.row_bytes = part * sizeof(Value)}, abi::CopyKind::by_address);
    begin += part * sizeof(Value);
    count -= part;
  }
}

}  // namespace

void check_fill(const abi::Fill& requested) {
  const std::size_t size = requested.element_bytes;
  if (size != 1 && size != 2 && size != 4) throw Failure{Error::invalid_value};
  const bool has_rows = requested.height > 1;
  if (reinterpret_cast<std::uintptr_t>(requested.to) % size != 0 ||
      (has_rows && requested.pitch % size != 0)) {
    throw Failure{Error::invalid_value};
  }
  if (requested.width == 0 || requested.height == 0) return;
  if (!in_device_memory(requested.to) || (has_rows && requested.pitch < requested.width * size)) {
    throw Failure{Error::invalid_value};
  }
}

void fill(Session& session, const abi::Fill& requested) {
  check_fill(requested);
  auto* const begin = static_cast<std::byte*>(requested.to);
  if (requested.element_bytes == 1) {
    fill(session, linear_place(begin, requested.pitch), static_cast<int>(requested.value),
         {.row_bytes = requested.width, .rows = requested.height});
    return;
  }
  if (requested.width == 0) return;
  for (std::size_t y = 0; y < requested.height; ++y) {
    std::byte* const row = begin + y * requested.pitch;
    if (requested.element_bytes == 2) {
      fill_row(session, row, static_cast<std::uint16_t>(requested.value), requested.width);
    } else {
      fill_row(session, row, requested.value, requested.width);
    }
  }
}

}  // namespace heddle::cuda
