#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "code/program.h"
#include "device/device.h"

namespace heddle::device {

/// Throws InputError, which names the violated limit, if CUDA would reject the launch. Also throws
/// InputError if the kernel uses instructions that Heddle does not support.
void check_launch(const code::Program& program, const code::FunctionInfo& kernel,
                  const LaunchConfiguration& configuration, const DeviceOptions& options);
/// Throws InputError unless all blocks of a cooperative launch can be resident at once.
void check_cooperative(const exec::Launch& launch, const DeviceOptions& options);
/// The bytes of a thread's local memory, which contains its stack: those that the kernel and its
/// calls need and, if the depth of calls is not known statically, `options.stack_bytes` in
/// addition. Rounded up to a multiple of 16.
std::uint32_t stack_bytes(const code::FunctionInfo& kernel, const DeviceOptions& options);
/// Returns the kernel's parameter area, filled with the arguments. Throws InputError if they do not
/// match the parameters.
std::vector<std::byte> lay_out(const code::FunctionInfo& kernel, const Arguments& arguments);

}  // namespace heddle::device
