#pragma once

#include <cstddef>
#include <span>

namespace heddle::cuda {

/// What can be read from an address on: of a program or a library, to the end of the segment that
/// it lies in; elsewhere to the end of the memory that is mapped without a gap. Nothing where
/// nothing is. A program hands over addresses without sizes, and what lies there says itself how
/// long it is.
std::span<const std::byte> memory_from(const void* address);

}  // namespace heddle::cuda
