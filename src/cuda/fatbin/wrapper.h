#pragma once

#include <cstdint>
#include <vector>

namespace heddle::cuda {

/// The structure that a program passes when it registers its kernels. The layout is nvcc's.
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;  ///< 2: the program was linked from relocatable device code.
  const void* data;       ///< The fat binary; in version 2 it contains machine code only.
  /// Version 2: the fat binaries of the objects that were linked, up to a null pointer.
  const void* const* prelinked;
};
static_assert(sizeof(FatBinaryWrapper) == 24);

/// The fat binaries that contain the module's PTX. If there are several, the PTX of all must be
/// linked. Throws InputError for other data.
std::vector<const void*> fat_binaries_of(const FatBinaryWrapper& wrapper);

}  // namespace heddle::cuda
