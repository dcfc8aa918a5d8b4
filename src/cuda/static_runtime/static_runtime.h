#pragma once

// Programs that nvcc built with its default: CUDA's own runtime is linked into them. As long as the
// symbol table says where its functions are, they can be led to ours when the program starts.

#include <cstdint>
#include <string>
#include <string_view>

#include "cuda/static_runtime/elf_image.h"

namespace heddle::cuda {

enum class StaticRuntime : std::uint8_t {
  absent,
  known,     ///< Its functions can be found, and are those that Heddle has.
  stripped,  ///< It is there, but nothing says where.
  other,     ///< That of a CUDA whose functions are called otherwise.
};

StaticRuntime static_runtime_in(const ElfImage& image);

/// Why a program cannot be run, and how to build it so that it can; empty where it can.
std::string why_not_run(StaticRuntime runtime, std::string_view program);

}  // namespace heddle::cuda
