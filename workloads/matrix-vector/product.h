#pragma once

// Products of a matrix with vectors, and the check of the results.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workload/check_result.h"
#include "workload/random.h"

namespace heddle::workload::matrix_vector {

struct Shape {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

/// A matrix in row-major order, the vectors that it is multiplied by, and the results.
struct Problem {
  Shape shape;
  std::vector<float> matrix;
  std::vector<std::vector<float>> x;
  std::vector<std::vector<float>> y;
};

/// Measurements: each column is scaled by 1, 1/2, ... or 1/`units`, drawn at random.
Problem random_problem(const Shape& shape, std::size_t vectors, std::uint32_t units,
                       Random& random);

/// Compares results and expected values divided by the root of the sum of the terms' squares. A
/// lane adds up to `lane_terms` terms, then lanes are added in five levels, then `slices` sums.
void compare(const char* name, const Problem& problem, std::size_t lane_terms, std::size_t slices,
             CheckResult& check);

}  // namespace heddle::workload::matrix_vector
