#include "device/launch_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "exec/engine.h"
#include "exec/fault/fault_report.h"
#include "exec/grid.h"

namespace heddle::device {
namespace {

[[noreturn]] void reject(const code::FunctionInfo& kernel, const std::string& why) {
  throw InputError(fmt::format("kernel '{}' cannot be launched: {}", kernel.name, why));
}

void check_extent(const code::FunctionInfo& kernel, const char* what, const Dim3& extent,
                  const Dim3& limit) {
  const struct {
    const char* axis;
    std::uint32_t value, maximum;
  } axes[] = {{"x", extent.x, limit.x}, {"y", extent.y, limit.y}, {"z", extent.z, limit.z}};
  for (const auto& [axis, value, maximum] : axes) {
    if (value < 1 || value > maximum) {
      reject(kernel,
             fmt::format("the {}'s {} is {}; it must be from 1 to {}", what, axis, value, maximum));
    }
  }
}

void check_threads(const code::FunctionInfo& kernel, const Dim3& block, const Limits& limits) {
  if (block.count() > limits.threads_per_block) {
    reject(kernel, fmt::format("a block of {}x{}x{} is {} threads; at most {} are allowed", block.x,
                               block.y, block.z, block.count(), limits.threads_per_block));
  }
  // Dimensions that the directive leaves out are 0 and mean 1.
  const auto product = [](const std::uint32_t(&d)[3]) {
    return std::uint64_t{std::max(d[0], 1U)} * std::max(d[1], 1U) * std::max(d[2], 1U);
  };
  if (kernel.max_threads[0] != 0 && block.count() > product(kernel.max_threads)) {
    reject(kernel, fmt::format("it was compiled for blocks of at most {} threads (.maxntid), and "
                               "the block has {}",
                               product(kernel.max_threads), block.count()));
  }
  const std::uint32_t(&need)[3] = kernel.required_threads;
  if (need[0] != 0) {
    const Dim3 required{need[0], std::max(need[1], 1U), std::max(need[2], 1U)};
    if (!(required == block)) {
      reject(kernel, fmt::format("it was compiled for blocks of {}x{}x{} (.reqntid), not {}x{}x{}",
                                 required.x, required.y, required.z, block.x, block.y, block.z));
    }
  }
}

void check_resources(const code::FunctionInfo& kernel, const LaunchConfiguration& configuration,
                     const Limits& limits) {
  // Registers are allocated to whole warps, in units of 256 (8 per thread).
  const std::uint64_t warps = (configuration.block.count() + 31) / 32;
  const std::uint64_t registers =
      warps * 32 * ((std::uint64_t{kernel.registers_per_thread} + 7) / 8 * 8);
  if (registers > limits.registers_per_block) {
    reject(kernel,
           fmt::format("a block needs {} registers ({} per thread); at most {} are available",
                       registers, kernel.registers_per_thread, limits.registers_per_block));
  }
  const std::uint64_t shared =
      std::uint64_t{kernel.shared_bytes} + configuration.dynamic_shared_bytes;
  if (shared > limits.shared_bytes_per_block) {
    reject(kernel, fmt::format("a block needs {} bytes of shared memory ({} static, {} dynamic); "
                               "at most {} are available",
                               shared, kernel.shared_bytes, configuration.dynamic_shared_bytes,
                               limits.shared_bytes_per_block));
  }
}

void check_supported(const code::Program& program, const code::FunctionInfo& kernel) {
  if (kernel.unsupported.empty()) return;
  std::string message = "it uses instructions that Heddle does not support:";
  constexpr std::size_t kMaxShown = 10;
  for (const std::string& line :
       code::describe_unsupported(program, kernel.unsupported, kMaxShown)) {
    message += "\n  " + line;
  }
  reject(kernel, message);
}

}  // namespace

void check_launch(const code::Program& program, const code::FunctionInfo& kernel,
                  const LaunchConfiguration& configuration, const DeviceOptions& options) {
  check_extent(kernel, "grid", configuration.grid, options.limits.grid);
  check_extent(kernel, "block", configuration.block, options.limits.block);
  check_threads(kernel, configuration.block, options.limits);
  check_resources(kernel, configuration, options.limits);
  check_supported(program, kernel);
  if (kernel.local_bytes > options.limits.local_bytes_per_thread) {
    reject(kernel, fmt::format("a thread needs {} bytes of local memory; at most {} are available",
                               kernel.local_bytes, options.limits.local_bytes_per_thread));
  }
}

void check_cooperative(const exec::Launch& launch, const DeviceOptions& options) {
  const std::uint64_t blocks = launch.grid.count();
  const std::uint64_t maximum = options.engine != nullptr ? options.engine->resident_blocks(launch)
                                                          : exec::max_resident_blocks(launch);
  if (blocks > maximum) {
    reject(launch.info(), fmt::format("the {} blocks of a cooperative launch must all be resident "
                                      "at once; at most {} can be",
                                      blocks, maximum));
  }
}

std::uint32_t stack_bytes(const code::FunctionInfo& kernel, const DeviceOptions& options) {
  const std::uint64_t bytes =
      std::uint64_t{kernel.local_bytes} + (kernel.stack_unbounded ? options.stack_bytes : 0);
  return static_cast<std::uint32_t>((bytes + 15) / 16 * 16);
}

std::vector<std::byte> lay_out(const code::FunctionInfo& kernel, const Arguments& arguments) {
  if (arguments.size() != kernel.parameters.size()) {
    reject(kernel, fmt::format("it has {} parameters, and {} arguments were given",
                               kernel.parameters.size(), arguments.size()));
  }
  std::vector<std::byte> area(kernel.parameter_bytes);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const code::Parameter& parameter = kernel.parameters[i];
    if (arguments[i].size() != parameter.size) {
      reject(kernel, fmt::format("parameter {} ('{}') has {} bytes, and the argument has {}", i + 1,
                                 parameter.name, parameter.size, arguments[i].size()));
    }
    std::copy(arguments[i].begin(), arguments[i].end(), area.begin() + parameter.offset);
  }
  return area;
}

}  // namespace heddle::device
