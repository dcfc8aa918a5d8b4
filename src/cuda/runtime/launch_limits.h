#pragma once

// Limits of launches and occupancy, as CUDA programs see them.

#include <cstdint>

#include "code/program.h"
#include "cuda/runtime/abi.h"
#include "cuda/runtime/modules.h"
#include "gpu/machine.h"

namespace heddle::cuda {

/// The most bytes of shared memory, static plus dynamic, that a block can have without
/// cudaFuncSetAttribute.
std::uint32_t ordinary_shared_bytes(const gpu::Machine& machine);
/// The most bytes that a block can have with cudaFuncSetAttribute.
std::uint32_t max_shared_bytes(const gpu::Machine& machine);
/// The most threads that a block can have.
std::uint32_t max_threads(const gpu::Machine& machine);
/// The most threads that a block of this kernel can have, by its launch bounds and its registers.
std::uint32_t max_threads(const code::FunctionInfo& info, const gpu::Machine& machine);

/// The number of blocks that can be resident on all multiprocessors together.
std::uint64_t blocks_at_once(const code::FunctionInfo& info, std::uint64_t threads,
                             std::uint64_t dynamic_shared_bytes, const gpu::Machine& machine);
/// The number of blocks that can be resident on one multiprocessor. If multiprocessors differ, the
/// average, but at least 1 if a block fits on any.
std::uint32_t resident_blocks(const code::FunctionInfo& info, std::uint64_t threads,
                              std::uint64_t dynamic_shared_bytes, const gpu::Machine& machine);

/// The register limit per thread that a kernel must be compiled for so that a block of `threads`
/// fits. 0 if the block fits already, or cannot fit with any limit.
std::uint32_t registers_to_fit(const code::FunctionInfo& info, std::uint64_t threads,
                               const gpu::Machine& machine);

struct LaunchShape {
  abi::Dim3 grid{}, block{};
  std::uint64_t dynamic_shared_bytes = 0;
  bool cooperative = false;
};
/// Throws Failure with CUDA's error if the machine cannot run the launch.
void check_limits(const code::FunctionInfo& info, const Function& function,
                  const LaunchShape& shape, const gpu::Machine& machine);

}  // namespace heddle::cuda
