#pragma once

// The limits of launches, and occupancy, as CUDA programs see them.

#include <cstdint>

#include "code/program.h"
#include "cuda/runtime/abi.h"
#include "cuda/runtime/modules.h"
#include "gpu/machine.h"

namespace heddle::cuda {

/// The most bytes of shared memory, static plus dynamic, that a block can have by default, that is,
/// without a call of cudaFuncSetAttribute for its kernel.
std::uint32_t default_max_shared_bytes(const gpu::Machine& machine);
/// The most bytes of shared memory that a block can have after such a call.
std::uint32_t max_shared_bytes(const gpu::Machine& machine);
/// The most threads that a block can have.
std::uint32_t max_threads(const gpu::Machine& machine);
/// The most threads that a block of this kernel can have, by the kernel's launch bounds, registers
/// and static shared memory.
std::uint32_t max_threads(const code::FunctionInfo& info, const gpu::Machine& machine);

/// The most blocks of a kernel that can be resident on all multiprocessors together. A block has
/// `threads` threads.
std::uint64_t max_blocks_on_machine(const code::FunctionInfo& info, std::uint64_t threads,
                                    std::uint64_t dynamic_shared_bytes,
                                    const gpu::Machine& machine);
/// The most blocks of a kernel that can be resident on one multiprocessor. If the multiprocessors
/// differ, the result is the average, rounded down, but at least 1 if a block fits on any of them.
std::uint32_t max_blocks_per_multiprocessor(const code::FunctionInfo& info, std::uint64_t threads,
                                            std::uint64_t dynamic_shared_bytes,
                                            const gpu::Machine& machine);

/// The limit of registers per thread with which a kernel must be compiled so that a block of
/// `threads` threads fits on a multiprocessor; 0 if the block fits already, or if no limit helps.
std::uint32_t registers_to_fit(const code::FunctionInfo& info, std::uint64_t threads,
                               const gpu::Machine& machine);

/// The properties of a launch that limits apply to.
struct LaunchShape {
  abi::Dim3 grid{}, block{};
  std::uint64_t dynamic_shared_bytes = 0;
  bool cooperative = false;
};
/// Throws Failure with CUDA's error if the machine cannot execute the launch.
void check_limits(const code::FunctionInfo& info, const Function& function,
                  const LaunchShape& shape, const gpu::Machine& machine);

}  // namespace heddle::cuda
