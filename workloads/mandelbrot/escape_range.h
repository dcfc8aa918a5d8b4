#pragma once

// After how many iterations a point's z leaves the circle, as floats may have it.

#include <cstddef>

#include "kernel.h"

namespace heddle::workload::mandelbrot {

struct EscapeRange {
  int least = 0;
  int most = 0;
};

EscapeRange escape_range(const ::mandelbrot::View& view, const ::mandelbrot::Place& place,
                         std::size_t column, std::size_t row);

}  // namespace heddle::workload::mandelbrot
