#pragma once

// The matrix of an unstructured mesh.

#include <cstddef>
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

/// Jagged diagonals: rows are sorted by length, the longest first. Diagonal k has entry k of each
/// row, as far as a row of the same warp has one, from begin[k] on. Rows that are shorter than the
/// longest of their warp end with zeros.
struct Diagonals {
  std::vector<std::int32_t> begin;
  std::vector<std::int32_t> warp_length;  ///< By warp: the length of its longest row.
  std::vector<std::int32_t> row_of;       ///< By place in the order: the row.
  std::vector<std::int32_t> columns;
  std::vector<float> values;
};

/// The matrix in jagged diagonals, for warps of so many rows.
Diagonals diagonals_of(const Matrix& matrix, std::size_t warp_rows);

/// The relaxation of a plate with holes: each point of the mesh moves halfway to the mean of the
/// points around it, with more weight for near ones. The mesh covers side x side cells and is finer
/// around the holes, so rows differ in length. All entries are positive, and those of a row add up
/// to 1.
Matrix mesh_matrix(int side, Random& random);

}  // namespace heddle::workload::spmv
