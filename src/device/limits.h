#pragma once

#include <cstdint>

#include "base/dim3.h"

namespace heddle::device {

/// The maximum sizes of a launch. The values are those of compute capability 7.5 to 9.0 (CUDA C++
/// Programming Guide, table of technical specifications per compute capability). For shared memory,
/// whose maximum differs, it is that of 9.0, the largest.
struct Limits {
  Dim3 grid{0x7fff'ffff, 65535, 65535};
  Dim3 block{1024, 1024, 64};
  std::uint32_t threads_per_block = 1024;
  std::uint32_t registers_per_block = 65536;
  std::uint32_t shared_bytes_per_block = 227 * 1024;
  std::uint32_t local_bytes_per_thread = 512 * 1024;
};

}  // namespace heddle::device
