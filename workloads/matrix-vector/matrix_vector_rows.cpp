#include <vector>

#include "kernel.h"
#include "product.h"
#include "workload/workload.h"

namespace heddle::workload::matrix_vector_rows_host {
namespace {

using matrix_vector::Problem;
using matrix_vector::Shape;

/// The rows are not multiples of the block, the columns are not multiples of the tile.
Shape shape_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {150, 300};
    case Size::small:
      return {1'201, 1'100};
    case Size::medium:
      return {3'001, 2'900};
    case Size::large:
    case Size::paper:
      return {8'001, 7'900};
  }
  return {};
}

class MatrixVectorRows final : public HostProgram {
 public:
  MatrixVectorRows(Size size, std::uint64_t seed) {
    Random random(seed);
    problem_ = matrix_vector::random_problem(shape_of(size), 1, 100, random);
  }

  void run(Gpu& device) override {
    const auto rows = static_cast<std::uint32_t>(problem_.shape.rows);
    const Array<float> a = device.upload(problem_.matrix, "a");
    const Array<float> x = device.upload(problem_.x.front(), "x");
    const Array<float> y = device.allocate<float>(rows, "y");
    device.launch("matrix_vector_rows",
                  {.grid = {(rows + kWarps - 1) / kWarps}, .block = {kThreads}}, a, x, y,
                  static_cast<int>(rows), static_cast<int>(problem_.shape.columns));
    problem_.y = {device.download(y)};
  }

  CheckResult check() const override {
    CheckResult check;
    matrix_vector::compare("y", problem_, (problem_.shape.columns + 31) / 32, 0, check);
    return check;
  }

 private:
  Problem problem_;
};

const Registration kRegistration({
    .name = "matrix-vector-rows",
    .folder = "matrix-vector",
    .summary = "The product of a dense matrix with a vector, in a single kernel",
    .papers = {"simt Table 7"},
    .kernels = {{"matrix_vector_rows", {kThreads}}},
    .make = make_program<MatrixVectorRows>,
});

}  // namespace
}  // namespace heddle::workload::matrix_vector_rows_host
