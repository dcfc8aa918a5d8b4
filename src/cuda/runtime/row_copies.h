#pragma once

// Copies of rows of bytes between host memory, device memory and arrays. All copies of the runtime
// and the driver use these functions. A copy has up to three dimensions: it consists of slices, a
// slice of rows, and a row of bytes. A slice of an array is a position in depth, or a layer.

#include <cstddef>
#include <variant>

#include "cuda/runtime/session.h"

namespace heddle::cuda {

/// The first row of a copy in memory, the host's or the device's.
struct LinearPlace {
  std::byte* base = nullptr;
  std::size_t pitch = 0;        ///< Bytes from one row to the next.
  std::size_t slice_pitch = 0;  ///< Bytes from one slice to the next.
};
/// The first row of a copy in an array.
struct ArrayPlace {
  const Array* array = nullptr;
  std::size_t x_bytes = 0;   ///< The offset in the row.
  std::size_t y = 0, z = 0;  ///< The row in its slice, and the slice.
};
using CopyPlace = std::variant<LinearPlace, ArrayPlace>;

/// The size of a copy.
struct CopyVolume {
  std::size_t row_bytes = 0;
  std::size_t rows = 1;  ///< Per slice.
  std::size_t slices = 1;
};

/// The place at a program's pointer. The pointer may be const: only destinations are written.
LinearPlace linear_place(const void* base, std::size_t pitch = 0, std::size_t slice_pitch = 0);

/// The memory that a place belongs to. Managed and pinned memory belongs to both host and device.
enum class Side : std::uint8_t { host, device, both };
Side side_of(const Session& session, const CopyPlace& place);

/// Throws Failure if copy() would reject a copy because of its pitches or its direction.
void check_copy(Session& session, const CopyPlace& to, const CopyPlace& from,
                const CopyVolume& volume, abi::CopyKind kind);
/// Copies rows. Throws Failure if the direction `kind` contradicts the places, or if a place is
/// invalid.
void copy(Session& session, const CopyPlace& to, const CopyPlace& from, const CopyVolume& volume,
          abi::CopyKind kind);
/// Sets bytes of device memory to the low byte of `value`. Throws Failure if `to` is not in device
/// memory.
void fill(Session& session, const LinearPlace& to, int value, const CopyVolume& volume);

}  // namespace heddle::cuda
