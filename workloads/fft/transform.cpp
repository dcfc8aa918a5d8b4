#include "transform.h"

#include <cmath>
#include <numbers>

namespace heddle::workload::fft {

std::vector<Complex> make_roots(std::size_t points) {
  std::vector<Complex> roots(points);
  for (std::size_t k = 0; k < points; ++k) {
    roots[k] = std::polar(
        1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(points));
  }
  return roots;
}

// The textbook recursion, which combines the transforms of the even and of the odd numbers.
void transform(const Complex* signal, std::size_t step, std::span<Complex> result,
               const std::vector<Complex>& roots) {
  if (result.size() == 1) {
    result[0] = *signal;
    return;
  }
  const std::size_t half = result.size() / 2;
  transform(signal, 2 * step, result.first(half), roots);
  transform(signal + step, 2 * step, result.last(half), roots);
  for (std::size_t k = 0; k < half; ++k) {
    const Complex even = result[k];
    const Complex odd = roots[k * step] * result[half + k];
    result[k] = even + odd;
    result[half + k] = even - odd;
  }
}

}  // namespace heddle::workload::fft
