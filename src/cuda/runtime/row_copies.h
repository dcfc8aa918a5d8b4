#pragma once

// Copies of rows of bytes between host memory, device memory and arrays. All copies of the runtime
// and the driver use these functions.

#include <cstddef>
#include <variant>

#include "cuda/runtime/session.h"

namespace heddle::cuda {

/// Rows in memory, the host's or the device's.
struct LinearPlace {
  std::byte* base = nullptr;
  std::size_t pitch = 0;  ///< Bytes from one row to the next.
  std::size_t slice = 0;  ///< Bytes from one slice to the next.
};
struct ArrayPlace {
  const Array* array = nullptr;
  std::size_t x_bytes = 0;
  std::size_t y = 0, z = 0;
};
using CopyPlace = std::variant<LinearPlace, ArrayPlace>;

struct CopyVolume {
  std::size_t row_bytes = 0;
  std::size_t rows = 1;
  std::size_t slices = 1;
};

/// Rows at a program's pointer. The pointer may be const: it is only written as a destination.
LinearPlace linear_place(const void* base, std::size_t pitch = 0, std::size_t slice = 0);

/// Copies rows. Throws Failure if `kind` contradicts the places, or a place is invalid.
void copy(Session& session, const CopyPlace& to, const CopyPlace& from, const CopyVolume& volume,
          abi::CopyKind kind);
/// Fills bytes of device memory.
void fill(Session& session, const LinearPlace& to, int value, const CopyVolume& volume);

}  // namespace heddle::cuda
