// Fuzzes the reader of ELF files: any bytes are read as far as they are valid.

#include <cstddef>
#include <cstdint>
#include <span>

#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/static_runtime.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::cuda;
  const auto bytes = std::as_bytes(std::span(data, size));
  const std::optional<ElfImage> image = ElfImage::read(bytes);
  if (!image) return 0;
  static_runtime_in(*image);
  image->needs_library("libcudart.so.");
  const auto* const begin = reinterpret_cast<const char*>(data);
  for (const ElfImage::Function& function : image->functions()) {
    // Names must lie within the input.
    if (!function.name.empty() && (function.name.data() < begin ||
                                   function.name.data() + function.name.size() > begin + size)) {
      __builtin_trap();
    }
  }
  return 0;
}
