#pragma once

#include <cstdint>
#include <vector>

namespace heddle::cuda {

/// What a program hands over when it registers its kernels: nvcc lays it out so.
struct FatBinaryWrapper {
  std::uint32_t magic;
  std::uint32_t version;  ///< 2: of relocatable device code, which was linked.
  const void* data;       ///< The fat binary; with version 2, of machine code only.
  /// Version 2: the fat binaries of the objects that were linked, up to a null pointer.
  const void* const* prelinked;
};
static_assert(sizeof(FatBinaryWrapper) == 24);

/// The fat binaries whose PTX makes the module, to be linked if there are several. Throws
/// InputError for what is no such wrapper.
std::vector<const void*> fat_binaries_of(const FatBinaryWrapper& wrapper);

}  // namespace heddle::cuda
