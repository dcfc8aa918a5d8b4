#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "code/program.h"
#include "device/device.h"

namespace heddle::device {

/// Throws InputError where CUDA would refuse the launch, saying which limit it breaks; and where
/// the kernel needs what Heddle does not execute.
void check_launch(const code::Program& program, const code::FunctionInfo& kernel,
                  const LaunchConfiguration& configuration, const DeviceOptions& options);
/// Throws InputError where not all blocks of a cooperative launch can be resident.
void check_cooperative(const exec::Launch& launch, const DeviceOptions& options);
/// A thread's stack: as large as the calls need, or the device's limit where that cannot be known.
std::uint32_t stack_bytes(const code::FunctionInfo& kernel, const DeviceOptions& options);
/// The parameter area, from arguments that match the kernel's parameters. Throws InputError where
/// they do not.
std::vector<std::byte> lay_out(const code::FunctionInfo& kernel, const Arguments& arguments);

}  // namespace heddle::device
