#pragma once

// After how many iterations a point's z may leave the circle of radius 2, if computed in floats.

#include <cstddef>

#include "kernel.h"

namespace heddle::workload::mandelbrot {

/// The least and the greatest number of iterations, both inclusive.
struct EscapeRange {
  int least = 0;
  int most = 0;
};

EscapeRange escape_range(const ::mandelbrot::View& view, const ::mandelbrot::Place& place,
                         std::size_t column, std::size_t row);

}  // namespace heddle::workload::mandelbrot
