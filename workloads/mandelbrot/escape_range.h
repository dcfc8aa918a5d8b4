#pragma once

// The range of iterations after which a point's z may leave the circle in floats.

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
