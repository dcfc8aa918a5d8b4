#include "qr_iteration.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace heddle::workload::eigenvalues {
namespace {

class Tridiagonal {
 public:
  Tridiagonal(std::vector<double> diagonal, std::vector<double> beside)
      : diagonal_(std::move(diagonal)), beside_(std::move(beside)) {}

  /// Whether the element that couples rows `row - 1` and `row` is negligible.
  bool is_decoupled(std::size_t row) const {
    const double size = std::abs(diagonal_[row - 1]) + std::abs(diagonal_[row]);
    return std::abs(beside_[row]) <= std::numeric_limits<double>::epsilon() * size;
  }

  /// The eigenvalue of the 2 x 2 matrix of rows `row - 1` and `row` that is closer to the latter's
  /// diagonal.
  double wilkinson_shift(std::size_t row) const {
    const double half = (diagonal_[row - 1] - diagonal_[row]) / 2;
    const double coupling = beside_[row];
    const double root = std::hypot(half, coupling);
    return diagonal_[row] - coupling * coupling / (half + std::copysign(root, half));
  }

  /// Replaces T, where T - shift = Q R for rows `first` to `last`, by R Q + shift. A rotation of
  /// each pair of rows makes R. Only the diagonal of R Q and the elements below it are needed.
  void step(std::size_t first, std::size_t last, double shift) {
    double pivot = diagonal_[first] - shift;
    double above = beside_[first + 1];  // To the right of the pivot.
    double cosine_before = 1, sine_before = 0;
    for (std::size_t row = first; row < last; ++row) {
      const double coupling = beside_[row + 1], next = diagonal_[row + 1] - shift;
      const double length = std::hypot(pivot, coupling);
      const double cosine = length > 0 ? pivot / length : 1;
      const double sine = length > 0 ? coupling / length : 0;
      const double rotated = cosine * above + sine * next;
      diagonal_[row] = shift + cosine_before * length * cosine + rotated * sine;
      if (row > first) beside_[row] = sine_before * length;
      pivot = cosine * next - sine * above;
      if (row + 1 < last) above = cosine * beside_[row + 2];
      cosine_before = cosine;
      sine_before = sine;
    }
    diagonal_[last] = shift + cosine_before * pivot;
    beside_[last] = sine_before * pivot;
  }

  const std::vector<double>& diagonal() const { return diagonal_; }

 private:
  std::vector<double> diagonal_, beside_;
};

}  // namespace

std::vector<double> by_qr_iteration(std::vector<double> diagonal, std::vector<double> beside) {
  std::size_t last = diagonal.size() - 1;
  Tridiagonal matrix(std::move(diagonal), std::move(beside));
  while (last > 0) {
    if (matrix.is_decoupled(last)) {
      --last;
      continue;
    }
    std::size_t first = last - 1;
    while (first > 0 && !matrix.is_decoupled(first)) --first;
    matrix.step(first, last, matrix.wilkinson_shift(last));
  }
  std::vector<double> eigenvalues = matrix.diagonal();
  std::sort(eigenvalues.begin(), eigenvalues.end());
  return eigenvalues;
}

}  // namespace heddle::workload::eigenvalues
