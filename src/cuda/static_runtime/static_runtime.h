#pragma once

// Detects CUDA's static runtime in a program. nvcc links this runtime by default. If the program's
// symbol table contains the runtime's functions, they can be redirected to Heddle's when the
// program starts.

#include <cstdint>
#include <string>
#include <string_view>

#include "cuda/static_runtime/elf_image.h"

namespace heddle::cuda {

/// The static runtime in a program or library.
enum class StaticRuntime : std::uint8_t {
  absent,
  replaceable,    ///< CUDA 13's. Its functions have symbols, and Heddle has a replacement for each.
  stripped,       ///< It is present, but without symbols.
  other_version,  ///< It is from another version of CUDA, with other functions.
};

StaticRuntime static_runtime_in(const ElfImage& image);

/// The reason why a program cannot be run, and how to build it; empty if the program can be run.
std::string unsupported_reason(StaticRuntime runtime, std::string_view program);

}  // namespace heddle::cuda
