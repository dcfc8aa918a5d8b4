#pragma once

// The picture traced by recursion on the host, in double precision.

#include "base/picture.h"
#include "kernel.h"

namespace heddle::workload {

Picture trace_on_host(const ray_tracing::Scene& scene, int width, int height);

}  // namespace heddle::workload
