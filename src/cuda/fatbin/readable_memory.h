#pragma once

#include <cstddef>
#include <span>

namespace heddle::cuda {

/// The readable memory that begins at an address; empty if the address is not readable. If the
/// address lies in a loaded program or library, the memory ends with the segment; elsewhere it ends
/// with the contiguous readable mappings. Callers need this end because programs pass addresses
/// without sizes, and the sizes in the data itself cannot be trusted.
std::span<const std::byte> readable_memory_at(const void* address);

}  // namespace heddle::cuda
