#pragma once

#include <vector>

#include "device/device.h"

namespace heddle::cuda::graphs {

/// Adds the definitions of CUDA's functions for graphs that the texts of a module call.
void add_device_functions(std::vector<device::PtxSource>& texts);

}  // namespace heddle::cuda::graphs
