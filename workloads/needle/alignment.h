#pragma once

// Pairs of related DNA sequences, and the scores of their alignments.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::needle {

/// The cost of a gap, for each base in it.
inline constexpr int kGapPenalty = 6;

/// Bases as 0 to 3: A, C, G, T.
using Sequence = std::vector<std::uint8_t>;

struct Pair {
  Sequence above;   ///< One base for each column of the matrix.
  Sequence beside;  ///< One base for each row.
};

/// A random sequence of `columns` bases, and a copy of `rows` bases after evolution: bases
/// replaced, lost and inserted, a stretch repeated and another lost.
Pair make_pair(std::size_t columns, std::size_t rows, Random& random);

/// The score of two bases that are aligned with each other.
int similarity(std::uint8_t a, std::uint8_t b);

/// The similarities of all pairs of bases, in rows: the input of the kernels.
std::vector<int> similarities(const Pair& pair);

/// A matrix like best_scores() before the kernels run: only the first row and the first column,
/// where every base is in a gap, have scores.
std::vector<int> framed_scores(const Pair& pair);

/// The matrix of the best scores of all pairs of prefixes, in rows: one row and one column more
/// than there are bases.
std::vector<int> best_scores(const Pair& pair);

/// A cell of that matrix: this many bases of each sequence.
struct Cell {
  std::size_t column, row;
};

/// The best alignment, from the last cell to the first; ends early if no neighbour explains a
/// cell's score.
std::vector<Cell> trace_back(const Pair& pair, const std::vector<int>& scores);

/// The score of an alignment on its own, independent of any matrix.
int alignment_score(const Pair& pair, const std::vector<Cell>& path);

/// Compares `scores` with best_scores(), and the score of the alignment that they give with the
/// last of them: the alignment is the purpose of the program.
CheckResult check_scores(const Pair& pair, const std::vector<int>& scores);

}  // namespace heddle::workload::needle
