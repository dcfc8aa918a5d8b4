#include "cuda/runtime/launch_limits.h"

#include <fmt/format.h>

#include <algorithm>

#include "code/register_limits.h"
#include "device/limits.h"
#include "sm/storage/launch_sizes.h"

namespace heddle::cuda {
namespace {

/// The shared memory that a block can have on every GPU without a call of cudaFuncSetAttribute
/// (CUDA C++ Programming Guide, technical specifications).
constexpr std::uint32_t kDefaultMaxSharedBytes = 48 * 1024;
constexpr device::Limits kLimits{};

/// The number of threads or blocks.
std::uint64_t volume(const abi::Dim3& extent) {
  return std::uint64_t{extent.x} * extent.y * extent.z;
}

bool fits(const abi::Dim3& extent, const Dim3& limit) {
  return extent.x >= 1 && extent.x <= limit.x && extent.y >= 1 && extent.y <= limit.y &&
         extent.z >= 1 && extent.z <= limit.z;
}

void check_block(const code::FunctionInfo& info, const LaunchShape& shape,
                 const gpu::Machine& machine) {
  const std::uint64_t threads = volume(shape.block);
  if (!fits(shape.grid, kLimits.grid) || !fits(shape.block, kLimits.block) ||
      threads > max_threads(machine)) {
    throw Failure{Error::invalid_configuration};
  }
  // The kernel does not state extents that are 0. If the first is 0, it states no bound.
  const auto at_least_1 = [](std::uint32_t extent) { return std::max(extent, 1U); };
  const std::uint32_t(&bounds)[3] = info.max_threads;
  const std::uint64_t bound =
      std::uint64_t{at_least_1(bounds[0])} * at_least_1(bounds[1]) * at_least_1(bounds[2]);
  if (bounds[0] != 0 && threads > bound) throw Failure{Error::launch_out_of_resources};
  const std::uint32_t(&required)[3] = info.required_threads;
  if (required[0] != 0 &&
      (shape.block.x != at_least_1(required[0]) || shape.block.y != at_least_1(required[1]) ||
       shape.block.z != at_least_1(required[2]))) {
    throw Failure{Error::invalid_configuration};
  }
}

void check_shared(const code::FunctionInfo& info, const Function& function,
                  const LaunchShape& shape, const gpu::Machine& machine) {
  const std::uint64_t total = default_max_shared_bytes(machine);
  const std::uint64_t default_max = total > info.shared_bytes ? total - info.shared_bytes : 0;
  const std::uint64_t max_dynamic =
      std::max<std::uint64_t>(function.max_dynamic_shared_bytes, default_max);
  if (shape.dynamic_shared_bytes > max_dynamic ||
      info.shared_bytes + shape.dynamic_shared_bytes > max_shared_bytes(machine)) {
    throw Failure{Error::invalid_value};
  }
}

}  // namespace

std::uint32_t max_shared_bytes(const gpu::Machine& machine) {
  return std::min(machine.maximum(&sm::ResidencyDescription::shared_bytes),
                  kLimits.shared_bytes_per_block);
}

std::uint32_t default_max_shared_bytes(const gpu::Machine& machine) {
  return std::min(kDefaultMaxSharedBytes, max_shared_bytes(machine));
}

std::uint32_t max_threads(const gpu::Machine& machine) {
  return std::min(kLimits.threads_per_block,
                  machine.maximum(&sm::ResidencyDescription::warps) * 32);
}

std::uint32_t max_threads(const code::FunctionInfo& info, const gpu::Machine& machine) {
  std::uint32_t threads = max_threads(machine);
  const std::uint32_t(&bounds)[3] = info.max_threads;
  if (bounds[0] != 0) {
    threads = std::min(threads, bounds[0] * std::max(bounds[1], 1U) * std::max(bounds[2], 1U));
  }
  while (threads > 32 && max_blocks_per_multiprocessor(info, threads, 0, machine) == 0)
    threads -= 32;
  return threads;
}

std::uint64_t max_blocks_on_machine(const code::FunctionInfo& info, std::uint64_t threads,
                                    std::uint64_t dynamic_shared_bytes,
                                    const gpu::Machine& machine) {
  const std::uint64_t shared = info.shared_bytes + dynamic_shared_bytes;
  if (threads == 0 || threads > max_threads(machine) || shared > max_shared_bytes(machine)) {
    return 0;
  }
  std::uint64_t blocks = 0;
  for (const gpu::SmKind& kind : machine.kinds()) {
    blocks += std::uint64_t{kind.sms} *
              sm::occupancy_of(*kind.sm, {.warps = static_cast<std::uint32_t>((threads + 31) / 32),
                                          .registers_per_thread = info.registers_per_thread,
                                          .shared_bytes = static_cast<std::uint32_t>(shared)})
                  .blocks;
  }
  return blocks;
}

std::uint32_t max_blocks_per_multiprocessor(const code::FunctionInfo& info, std::uint64_t threads,
                                            std::uint64_t dynamic_shared_bytes,
                                            const gpu::Machine& machine) {
  const std::uint64_t blocks = max_blocks_on_machine(info, threads, dynamic_shared_bytes, machine);
  if (blocks == 0) return 0;
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(blocks / machine.chip.sms, 1));
}

std::uint32_t registers_to_fit(const code::FunctionInfo& info, std::uint64_t threads,
                               const gpu::Machine& machine) {
  if (threads == 0 || threads > max_threads(machine)) return 0;
  const std::uint32_t limit = machine.max_registers(threads);
  return limit < code::kMinRegisters || info.registers_per_thread <= limit ? 0 : limit;
}

void check_limits(const code::FunctionInfo& info, const Function& function,
                  const LaunchShape& shape, const gpu::Machine& machine) {
  check_block(info, shape, machine);
  check_shared(info, function, shape, machine);
  const std::uint64_t threads = volume(shape.block);
  const std::uint64_t blocks =
      max_blocks_on_machine(info, threads, shape.dynamic_shared_bytes, machine);
  if (blocks == 0) {
    throw Failure{
        Error::launch_out_of_resources,
        fmt::format("kernel '{}' has {} registers per thread, and no block of {} threads fits on a "
                    "multiprocessor of '{}'; 'heddle cuda --max-registers {}' compiles for fewer",
                    info.name, info.registers_per_thread, threads, machine.name,
                    machine.max_registers(threads))};
  }
  if (shape.cooperative && volume(shape.grid) > blocks) {
    throw Failure{Error::cooperative_launch_too_large};
  }
}

}  // namespace heddle::cuda
