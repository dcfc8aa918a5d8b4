#pragma once

// Detects CUDA's static runtime in a program, which nvcc links by default. If the symbol table
// contains its functions, they can be redirected to ours when the program starts.

#include <cstdint>
#include <string>
#include <string_view>

#include "cuda/static_runtime/elf_image.h"

namespace heddle::cuda {

enum class StaticRuntime : std::uint8_t {
  absent,
  known,     ///< Its functions have symbols, and Heddle has a replacement for each.
  stripped,  ///< It is present, but without symbols.
  other,     ///< It is from another version of CUDA, with other functions.
};

StaticRuntime static_runtime_in(const ElfImage& image);

/// The reason why a program cannot be run, and how to build it instead; empty if it can be run.
std::string unsupported_reason(StaticRuntime runtime, std::string_view program);

}  // namespace heddle::cuda
