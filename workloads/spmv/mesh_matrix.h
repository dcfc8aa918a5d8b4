#pragma once

// The matrix of an unstructured mesh.

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload::spmv {

/// Compressed sparse rows: row r has the entries row_begin[r] to row_begin[r + 1].
struct Matrix {
  std::vector<std::int32_t> row_begin;
  std::vector<std::int32_t> columns;
  std::vector<float> values;

  std::size_t rows() const { return row_begin.size() - 1; }
};

/// How a plate with holes relaxes: each of the mesh's points goes halfway to the mean of the points
/// around it, the near ones with more weight. The mesh lies over side x side cells and is finer
/// around the holes, so that rows have few entries or many. All entries are positive, and those of
/// a row have the sum 1.
Matrix mesh_matrix(int side, Random& random);

}  // namespace heddle::workload::spmv
