#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::matrix_vector_host {
namespace {

/// Enough blocks for a GPU with a few dozen multiprocessors.
constexpr std::size_t kWantedBlocks = 128;

/// The number of standard deviations of its rounding error by which a result may be off.
constexpr double kDeviations = 8;

struct Shape {
  std::size_t rows = 0;
  std::size_t columns = 0;
};

struct Shapes {
  Shape tall;
  Shape wide;
  std::size_t vectors = 0;  ///< For each matrix, multiplied one after the other.
};

/// The rows are not multiples of the block, the columns are not multiples of the tile.
Shapes shapes_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {{300, 90}, {37, 1'300}, 1};
    case Size::small:
      return {{6'001, 200}, {100, 12'100}, 2};
    case Size::medium:
      return {{20'001, 300}, {200, 30'030}, 4};
    case Size::large:
    case Size::paper:
      return {{50'001, 500}, {300, 60'060}, 8};
  }
  return {};
}

std::size_t divide_up(std::size_t value, std::size_t by) { return (value + by - 1) / by; }

/// A matrix, the vectors that it is multiplied by, and the results.
struct Problem {
  Shape shape;
  std::vector<float> matrix;
  std::vector<std::vector<float>> x;
  std::vector<std::vector<float>> y;

  std::size_t row_blocks() const { return divide_up(shape.rows, kRowsPerBlock); }
  /// The number of columns that one block computes: whole tiles, in enough slices for the wanted
  /// number of blocks.
  std::size_t slice_columns() const {
    const std::size_t slices = divide_up(kWantedBlocks, row_blocks());
    return divide_up(divide_up(shape.columns, slices), kTile) * kTile;
  }
  std::size_t slices() const { return divide_up(shape.columns, slice_columns()); }
};

/// Measurements: each column is scaled by 1, 1/2, ... or 1/`units`, drawn at random.
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

void multiply(Gpu& device, Problem& problem) {
  problem.y.clear();
  const auto rows = static_cast<std::uint32_t>(problem.shape.rows);
  const auto slices = static_cast<std::uint32_t>(problem.slices());
  const auto row_blocks = static_cast<std::uint32_t>(problem.row_blocks());
  const Array<float> a = device.upload(problem.matrix, "a");
  const Array<float> x = device.allocate<float>(problem.shape.columns, "x");
  const Array<float> y = device.allocate<float>(rows, "y");
  const Array<float> partial = slices == 1 ? y : device.allocate<float>(slices * rows, "partial");
  for (const std::vector<float>& factor : problem.x) {
    device.write(x, factor);
    device.launch("matrix_vector", {.grid = {row_blocks, slices}, .block = {kThreads}}, a, x,
                  partial, static_cast<int>(rows), static_cast<int>(problem.shape.columns),
                  static_cast<int>(problem.slice_columns()));
    // The sums of a single slice are the result.
    if (slices > 1) {
      device.launch("add_slices", {.grid = {(rows + kThreads - 1) / kThreads}, .block = {kThreads}},
                    partial, y, static_cast<int>(rows), static_cast<int>(slices));
    }
    problem.y.push_back(device.download(y));
  }
}

/// Compares results and expected values divided by the root of the sum of the terms' squares.
void compare(const char* name, const Problem& problem, CheckResult& check) {
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
  const auto lane_terms = static_cast<double>(divide_up(problem.slice_columns(), 32));
  const auto slices = static_cast<double>(problem.slices());
  const double squares = lane_terms / 2 + 5 + slices / 2;
  check.close(name, got, want,
              {.absolute = kDeviations * std::sqrt(squares / 3) * 0x1p-24,
               .reason = "8 deviations of all roundings, with the terms' norm as 1"});
}

class MatrixVector final : public HostProgram {
 public:
  MatrixVector(Size size, std::uint64_t seed) {
    Random random(seed);
    const Shapes shapes = shapes_of(size);
    tall_ = random_problem(shapes.tall, shapes.vectors, 100, random);
    wide_ = random_problem(shapes.wide, shapes.vectors, 1, random);
  }

  void run(Gpu& device) override {
    multiply(device, tall_);
    multiply(device, wide_);
  }

  CheckResult check() const override {
    CheckResult check;
    compare("tall", tall_, check);
    compare("wide", wide_, check);
    return check;
  }

 private:
  Problem tall_;
  Problem wide_;
};

const Registration kRegistration({
    .name = "matrix-vector",
    .summary = "Products of a tall and a wide dense matrix with vectors",
    .papers = {"simt Table 7", "storage Table 4.3"},
    .kernels = {{"matrix_vector", {kThreads}}, {"add_slices", {kThreads}}},
    .make = make_program<MatrixVector>,
});

}  // namespace
}  // namespace heddle::workload::matrix_vector_host
