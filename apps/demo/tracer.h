#pragma once

#include "base/picture.h"

namespace heddle::demo {

/// The demonstration's scene as the host computes it, in double precision.
Picture trace_on_host(int width, int height);

}  // namespace heddle::demo
