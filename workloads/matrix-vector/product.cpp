#include "product.h"

#include <cmath>
#include <utility>

namespace heddle::workload::matrix_vector {
namespace {

/// The number of standard deviations of its rounding error by which a result may be off.
constexpr double kDeviations = 8;

}  // namespace

Problem random_problem(const Shape& shape, std::size_t vectors, std::uint32_t units,
                       Random& random) {
  Problem problem{shape, {}, {}, {}};
  std::vector<float> scale(shape.columns);
  for (float& value : scale) value = 1.0F / static_cast<float>(1 + random.below(units));
  problem.matrix.reserve(shape.rows * shape.columns);
  for (std::size_t row = 0; row < shape.rows; ++row) {
    for (const float unit : scale) problem.matrix.push_back(unit * random.uniform_float(-1, 1));
  }
  for (std::size_t i = 0; i < vectors; ++i) {
    std::vector<float> x(shape.columns);
    for (float& value : x) value = random.uniform_float(-1, 1);
    problem.x.push_back(std::move(x));
  }
  return problem;
}

void compare(const char* name, const Problem& problem, std::size_t lane_terms, std::size_t slices,
             CheckResult& check) {
  std::vector<double> got;
  std::vector<double> want;
  for (std::size_t i = 0; i < problem.y.size(); ++i) {
    const std::vector<float>& x = problem.x[i];
    auto element = problem.matrix.begin();
    for (const float result : problem.y[i]) {
      double sum = 0;
      double squares = 0;
      for (const float factor : x) {
        const double term = static_cast<double>(*element++) * static_cast<double>(factor);
        sum += term;
        squares += term * term;
      }
      got.push_back(static_cast<double>(result) / std::sqrt(squares));
      want.push_back(sum / std::sqrt(squares));
    }
  }
  // Terms have random signs, so the square of a sum is about the sum of its terms' squares. A
  // rounding errs by at most 2^-24 of such a sum, with a deviation of 1 / sqrt(3) of that. The
  // squares add up as follows, relative to those of the terms: k / 2 for a lane's k sums, which
  // grow evenly; 1 for each of the five levels in adding the lanes; s / 2 for the sums of s slices.
  const double roundings =
      static_cast<double>(lane_terms) / 2 + 5 + static_cast<double>(slices) / 2;
  check.close(name, got, want,
              {.absolute = kDeviations * std::sqrt(roundings / 3) * 0x1p-24,
               .reason = "8 deviations of all roundings, with the terms' norm as 1"});
}

}  // namespace heddle::workload::matrix_vector
