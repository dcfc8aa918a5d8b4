#include "escape_range.h"

#include <algorithm>
#include <cmath>
#include <complex>

namespace heddle::workload::mandelbrot {
namespace {

constexpr double kRounding = 0x1p-24;
/// With a greater error, an orbit in floats may be anywhere.
constexpr double kLost = 0.25;

}  // namespace

/// Iterates in double precision and follows the error bound of floats.
EscapeRange escape_range(const ::mandelbrot::View& view, const ::mandelbrot::Place& place,
                         std::size_t column, std::size_t row) {
  const double right = (static_cast<double>(column) + static_cast<double>(place.across)) *
                       static_cast<double>(view.step);
  const double down =
      (static_cast<double>(row) + static_cast<double>(place.down)) * static_cast<double>(view.step);
  const std::complex<double> c(static_cast<double>(view.left) + right,
                               static_cast<double>(view.top) + down);
  // For either axis, the place in the row, the product and the sum are rounded.
  const double error_of_c =
      kRounding * (2 * (right + down) + std::abs(c.real()) + std::abs(c.imag()));

  EscapeRange range{view.most_iterations, view.most_iterations};
  std::complex<double> z = 0;
  double error = 0;
  for (int done = 0; done < view.most_iterations; ++done) {
    const double length = std::abs(z), square = std::norm(z);
    const double error_of_square = (2 * length + error) * error + 3 * kRounding * square;
    if (square + error_of_square >= 4) range.least = std::min(range.least, done);
    if (square - error_of_square >= 4) {
      range.most = done;
      break;
    }
    if (error > kLost) {
      range.least = std::min(range.least, done);
      break;
    }
    z = z * z + c;
    // The previous error is multiplied by 2 z. Squares, their difference and the sum with c are
    // rounded along x, the product and the sum along y: at most three times the square and twice
    // the new z.
    error = (2 * length + error) * error + error_of_c +
            kRounding * (3 * square + 2 * std::abs(z) + error);
  }
  return range;
}

}  // namespace heddle::workload::mandelbrot
