// Fuzzes the reader of fat binaries: any bytes are either read or rejected.

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "cuda/fatbin/fat_binary.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace heddle::cuda;
  const auto bytes = std::as_bytes(std::span(data, size));
  try {
    const std::vector<FatImage> images = read_fat_binary(bytes);
    for (const FatImage& image : images) {
      // Images must lie within the input.
      if (!image.payload.empty() &&
          (image.payload.data() < bytes.data() ||
           image.payload.data() + image.payload.size() > bytes.data() + bytes.size())) {
        __builtin_trap();
      }
      try {
        unpack(image);
      } catch (const heddle::InputError&) {
      }
    }
    best_ptx(images, kReportedCapability);
  } catch (const heddle::InputError&) {
  }
  return 0;
}
