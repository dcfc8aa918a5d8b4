#pragma once

// The matrix of an unstructured mesh.

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload::spmv {

/// Compressed sparse rows: row r has the entries from row_begin[r] up to, but not including,
/// row_begin[r + 1].
struct Matrix {
  std::vector<std::int32_t> row_begin;
  std::vector<std::int32_t> columns;
  std::vector<float> values;

  std::size_t rows() const { return row_begin.size() - 1; }
};

/// The relaxation of a plate with holes: each point of the mesh moves halfway to the mean of the
/// points around it, with more weight for near ones. The mesh covers side x side cells and is finer
/// around the holes, so rows differ in length. All entries are positive, and those of a row add up
/// to 1.
Matrix mesh_matrix(int side, Random& random);

}  // namespace heddle::workload::spmv
