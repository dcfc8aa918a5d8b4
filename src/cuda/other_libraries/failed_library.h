#pragma once

// Libraries whose calls fail because they contain a CUDA runtime that Heddle cannot replace. Such a
// runtime asks the driver for undocumented functions, and gives up.

namespace heddle::cuda {

/// Called when a library asks for undocumented functions of the driver. `caller` is an address in
/// its code. If the library cannot work without them, says so once. If it then crashes, the process
/// ends with the same message.
void report_failed_library(const void* caller) noexcept;

}  // namespace heddle::cuda
