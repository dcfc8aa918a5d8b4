#include <vector>

#include "kernel.h"
#include "product.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::matrix_vector_host {
namespace {

/// Enough blocks for a GPU with a few dozen multiprocessors.
constexpr std::size_t kWantedBlocks = 128;

using matrix_vector::Problem;
using matrix_vector::Shape;

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

std::size_t row_blocks_of(const Shape& shape) { return divide_up(shape.rows, kRowsPerBlock); }
/// The number of columns that one block computes: whole tiles, in enough slices for the wanted
/// number of blocks.
std::size_t slice_columns_of(const Shape& shape) {
  const std::size_t slices = divide_up(kWantedBlocks, row_blocks_of(shape));
  return divide_up(divide_up(shape.columns, slices), kTile) * kTile;
}
std::size_t slices_of(const Shape& shape) {
  return divide_up(shape.columns, slice_columns_of(shape));
}

void multiply(Gpu& device, Problem& problem) {
  problem.y.clear();
  const auto rows = static_cast<std::uint32_t>(problem.shape.rows);
  const auto slices = static_cast<std::uint32_t>(slices_of(problem.shape));
  const auto row_blocks = static_cast<std::uint32_t>(row_blocks_of(problem.shape));
  const Array<float> a = device.upload(problem.matrix, "a");
  const Array<float> x = device.allocate<float>(problem.shape.columns, "x");
  const Array<float> y = device.allocate<float>(rows, "y");
  const Array<float> partial = slices == 1 ? y : device.allocate<float>(slices * rows, "partial");
  for (const std::vector<float>& factor : problem.x) {
    device.write(x, factor);
    device.launch("matrix_vector", {.grid = {row_blocks, slices}, .block = {kThreads}}, a, x,
                  partial, static_cast<int>(rows), static_cast<int>(problem.shape.columns),
                  static_cast<int>(slice_columns_of(problem.shape)));
    // The sums of a single slice are the result.
    if (slices > 1) {
      device.launch("add_slices", {.grid = {(rows + kThreads - 1) / kThreads}, .block = {kThreads}},
                    partial, y, static_cast<int>(rows), static_cast<int>(slices));
    }
    problem.y.push_back(device.download(y));
  }
}

class MatrixVector final : public HostProgram {
 public:
  MatrixVector(Size size, std::uint64_t seed) {
    Random random(seed);
    const Shapes shapes = shapes_of(size);
    tall_ = matrix_vector::random_problem(shapes.tall, shapes.vectors, 100, random);
    wide_ = matrix_vector::random_problem(shapes.wide, shapes.vectors, 1, random);
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
  static void compare(const char* name, const Problem& problem, CheckResult& check) {
    matrix_vector::compare(name, problem, divide_up(slice_columns_of(problem.shape), 32),
                           slices_of(problem.shape), check);
  }

  Problem tall_;
  Problem wide_;
};

const Registration kRegistration({
    .name = "matrix-vector",
    .summary = "Products of a tall and a wide dense matrix with vectors",
    .papers = {"storage Table 4.3"},
    .kernels = {{"matrix_vector", {kThreads}}, {"add_slices", {kThreads}}},
    .make = make_program<MatrixVector>,
});

}  // namespace
}  // namespace heddle::workload::matrix_vector_host
