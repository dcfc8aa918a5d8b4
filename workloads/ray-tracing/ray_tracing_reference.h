#pragma once

// The picture as the host traces it: by recursion, in double precision.

#include "base/picture.h"
#include "kernel.h"

namespace heddle::workload {

Picture trace_on_host(const ray_tracing::Scene& scene, int width, int height);

}  // namespace heddle::workload
