#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "code/program.h"
#include "device/device.h"

namespace heddle::device {

/// Throws InputError if CUDA would reject the launch, naming the violated limit, or if the kernel
/// uses instructions that Heddle does not support.
void check_launch(const code::Program& program, const code::FunctionInfo& kernel,
                  const LaunchConfiguration& configuration, const DeviceOptions& options);
/// Throws InputError if not all blocks of a cooperative launch can be resident at once.
void check_cooperative(const exec::Launch& launch, const DeviceOptions& options);
/// The size of a thread's stack: as large as the calls need, or with the device's limit added if
/// the depth of calls is not known.
std::uint32_t stack_bytes(const code::FunctionInfo& kernel, const DeviceOptions& options);
/// Lays the arguments out in the kernel's parameter area. Throws InputError if they do not match
/// the parameters.
std::vector<std::byte> lay_out(const code::FunctionInfo& kernel, const Arguments& arguments);

}  // namespace heddle::device
