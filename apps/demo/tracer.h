#pragma once

#include "base/picture.h"

namespace heddle::demo {

/// Traces the demonstration's scene on the host, in double precision.
Picture trace_on_host(int width, int height);

}  // namespace heddle::demo
