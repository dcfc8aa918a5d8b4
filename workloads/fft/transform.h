#pragma once

// The Fourier transform of a few numbers in double precision, for checks.

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

namespace heddle::workload::fft {

using Complex = std::complex<double>;
using ComplexFloat = std::complex<float>;

/// e^(-2 pi i k / points)
std::vector<Complex> make_roots(std::size_t points);

/// Transforms every `step`-th number of the signal into `result`, whose size is a power of two.
/// `roots`: those of `step * result.size()` points.
void transform(const Complex* signal, std::size_t step, std::span<Complex> result,
               const std::vector<Complex>& roots);

}  // namespace heddle::workload::fft
