#include "mesh_matrix.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>

namespace heddle::workload::spmv {
namespace {

constexpr int kMaxPointsPerCell = 9;

struct Point {
  double x, y;
};

double square_of_distance(const Point& a, const Point& b) {
  return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

/// Points in the cells of a grid, numbered cell by cell.
class Mesh {
 public:
  Mesh(int side, Random& random) : side_(side) {
    std::array<Point, 3> holes{};
    for (Point& hole : holes) hole = {random.uniform(0, side), random.uniform(0, side)};
    const double reach = 0.12 * side;
    for (int row = 0; row < side; ++row) {
      for (int column = 0; column < side; ++column) {
        cell_begin_.push_back(points_.size());
        double fineness = 0;
        for (const Point& hole : holes) {
          const double away = square_of_distance(hole, {column + 0.5, row + 0.5});
          fineness = std::max(fineness, 1 / (1 + away / (reach * reach)));
        }
        const int most = 1 + static_cast<int>((kMaxPointsPerCell - 1) * fineness);
        const int count = 1 + static_cast<int>(random.below(static_cast<std::uint32_t>(most)));
        for (int i = 0; i < count; ++i) {
          points_.push_back({column + random.uniform(), row + random.uniform()});
        }
      }
    }
    cell_begin_.push_back(points_.size());
  }

  const std::vector<Point>& points() const { return points_; }

  /// The points less than a cell's side away, in ascending order, including the point itself.
  std::vector<std::size_t> around(const Point& point) const {
    std::vector<std::size_t> found;
    const int column = static_cast<int>(point.x), row = static_cast<int>(point.y);
    for (int r = std::max(row - 1, 0); r <= std::min(row + 1, side_ - 1); ++r) {
      const int first = r * side_ + std::max(column - 1, 0);
      const int last = r * side_ + std::min(column + 1, side_ - 1);
      const std::size_t end = cell_begin_[static_cast<std::size_t>(last) + 1];
      for (std::size_t i = cell_begin_[static_cast<std::size_t>(first)]; i < end; ++i) {
        if (square_of_distance(point, points_[i]) < 1) found.push_back(i);
      }
    }
    return found;
  }

 private:
  int side_;
  std::vector<Point> points_;
  std::vector<std::size_t> cell_begin_;
};

}  // namespace

Matrix mesh_matrix(int side, Random& random) {
  const Mesh mesh(side, random);
  Matrix matrix;
  matrix.row_begin.push_back(0);
  for (std::size_t i = 0; i < mesh.points().size(); ++i) {
    const Point& point = mesh.points()[i];
    const std::vector<std::size_t> around = mesh.around(point);
    const auto pull = [&](std::size_t other) {
      return 1 / (0.05 + square_of_distance(point, mesh.points()[other]));
    };
    double pulls = 0;
    for (const std::size_t other : around) pulls += other == i ? 0 : pull(other);
    const double own_weight = pulls > 0 ? 0.5 : 1;
    for (const std::size_t other : around) {
      matrix.columns.push_back(static_cast<std::int32_t>(other));
      matrix.values.push_back(
          static_cast<float>(other == i ? own_weight : (1 - own_weight) * pull(other) / pulls));
    }
    matrix.row_begin.push_back(static_cast<std::int32_t>(matrix.columns.size()));
  }
  return matrix;
}

Diagonals diagonals_of(const Matrix& matrix, std::size_t warp_rows) {
  const std::size_t rows = matrix.rows();
  const auto length_of = [&](std::int32_t row) {
    const auto at = static_cast<std::size_t>(row);
    return matrix.row_begin[at + 1] - matrix.row_begin[at];
  };
  Diagonals diagonals;
  diagonals.row_of.resize(rows);
  std::iota(diagonals.row_of.begin(), diagonals.row_of.end(), 0);
  std::stable_sort(
      diagonals.row_of.begin(), diagonals.row_of.end(),
      [&](std::int32_t one, std::int32_t other) { return length_of(one) > length_of(other); });
  for (std::size_t place = 0; place < rows; place += warp_rows) {
    diagonals.warp_length.push_back(length_of(diagonals.row_of[place]));
  }
  const std::int32_t longest = diagonals.warp_length.empty() ? 0 : diagonals.warp_length.front();
  for (std::int32_t k = 0; k < longest; ++k) {
    diagonals.begin.push_back(static_cast<std::int32_t>(diagonals.columns.size()));
    for (std::size_t place = 0; place < rows; ++place) {
      if (diagonals.warp_length[place / warp_rows] <= k) break;
      const std::int32_t row = diagonals.row_of[place];
      const auto entry =
          static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row)] + k);
      const bool is_filled_up = length_of(row) <= k;
      diagonals.columns.push_back(is_filled_up ? 0 : matrix.columns[entry]);
      diagonals.values.push_back(is_filled_up ? 0 : matrix.values[entry]);
    }
  }
  return diagonals;
}

}  // namespace heddle::workload::spmv
