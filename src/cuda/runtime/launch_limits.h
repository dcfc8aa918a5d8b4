#pragma once

#include <cstdint>

#include "code/program.h"
#include "cuda/runtime/abi.h"
#include "cuda/runtime/modules.h"
#include "gpu/machine.h"

namespace heddle::cuda {

/// Static and dynamic shared memory that a block has without asking for more.
std::uint32_t ordinary_shared_bytes(const gpu::Machine& machine);
/// And with cudaFuncSetAttribute.
std::uint32_t most_shared_bytes(const gpu::Machine& machine);
/// Threads that a block can have.
std::uint32_t most_threads(const gpu::Machine& machine);
/// And one of a kernel: by its launch bounds, and by its registers.
std::uint32_t most_threads(const code::FunctionInfo& info, const gpu::Machine& machine);

/// How many blocks are resident on all multiprocessors together.
std::uint64_t blocks_at_once(const code::FunctionInfo& info, std::uint64_t threads,
                             std::uint64_t dynamic_shared_bytes, const gpu::Machine& machine);
/// And on one: on average, where multiprocessors differ, but one where a block fits on any.
std::uint32_t resident_blocks(const code::FunctionInfo& info, std::uint64_t threads,
                              std::uint64_t dynamic_shared_bytes, const gpu::Machine& machine);

/// The registers a thread that a kernel must be compiled for if a block of so many threads is to
/// fit; 0 where it fits as it is, or would fit with none.
std::uint32_t registers_to_fit(const code::FunctionInfo& info, std::uint64_t threads,
                               const gpu::Machine& machine);

struct LaunchShape {
  abi::Dim3 grid{}, block{};
  std::uint64_t dynamic_shared_bytes = 0;
  bool cooperative = false;
};
/// Throws Failure with the error that CUDA gives for what the machine cannot take.
void check_limits(const code::FunctionInfo& info, const Function& function,
                  const LaunchShape& shape, const gpu::Machine& machine);

}  // namespace heddle::cuda
