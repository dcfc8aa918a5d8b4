#pragma once

// Copies of rows of bytes between the host's memory, the device's and arrays: all the runtime's
// copies are such.

#include <cstddef>
#include <variant>

#include "cuda/runtime/session.h"

namespace heddle::cuda {

/// Rows in memory, the host's or the device's.
struct LinearPlace {
  std::byte* base = nullptr;
  std::size_t pitch = 0;  ///< Bytes from one row to the next.
  std::size_t slice = 0;  ///< And from one slice to the next.
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

/// A program's pointers and pitches; programs read through pointers to const.
LinearPlace linear_place(const void* base, std::size_t pitch = 0, std::size_t slice = 0);

/// Throws Failure where `kind` contradicts the places, or a place does not exist.
void copy(Session& session, const CopyPlace& to, const CopyPlace& from, const CopyVolume& volume,
          abi::CopyKind kind);
/// Fills bytes of device memory.
void fill(Session& session, const LinearPlace& to, int value, const CopyVolume& volume);

}  // namespace heddle::cuda
