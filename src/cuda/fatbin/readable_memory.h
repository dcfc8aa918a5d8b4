#pragma once

#include <cstddef>
#include <span>

namespace heddle::cuda {

/// The readable memory that begins at an address; empty if none is readable. In a program or
/// library it extends to the end of the segment, elsewhere to the end of contiguous mappings.
/// Programs pass addresses without sizes, and the sizes in the data itself cannot be trusted.
std::span<const std::byte> readable_memory_at(const void* address);

}  // namespace heddle::cuda
