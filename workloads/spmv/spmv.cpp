#include <algorithm>
#include <utility>
#include <vector>

#include "../spmv-jds/kernel.h"
#include "mesh_matrix.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::spmv_host {
namespace {

constexpr std::uint32_t kBlock = 128;

/// How the matrix is stored.
enum class Format : std::uint8_t { compressed_rows, jagged_diagonals };

struct Extent {
  int side;   ///< The side of the mesh, in cells.
  int steps;  ///< Products, each with the result of the one before.
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {13, 5};
    case Size::small:
      return {52, 30};
    case Size::medium:
      return {88, 60};
    case Size::large:
    case Size::paper:
      break;
  }
  return {230, 60};
}

class Spmv final : public HostProgram {
 public:
  Spmv(Format format, Size size, std::uint64_t seed)
      : format_(format), steps_(extent_of(size).steps) {
    Random random(seed);
    matrix_ = spmv::mesh_matrix(extent_of(size).side, random);
    for (std::size_t i = 0; i < matrix_.rows(); ++i) {
      start_.push_back(random.uniform_float(270, 370));
    }
  }

  void run(Gpu& device) override {
    if (format_ == Format::compressed_rows) {
      multiply_rows(device);
    } else {
      multiply_diagonals(device);
    }
  }

  /// Computes column by column: every point adds its share to those around it.
  CheckResult check() const override {
    const std::vector<Entry> entries = entries_by_column();
    std::vector<double> want(start_.begin(), start_.end()), next;
    for (int step = 0; step < steps_; ++step) {
      next.assign(want.size(), 0);
      for (const Entry& entry : entries) next[entry.row] += entry.value * want[entry.column];
      std::swap(want, next);
    }
    std::int32_t longest = 0;
    for (std::size_t row = 0; row < matrix_.rows(); ++row) {
      longest = std::max(longest, matrix_.row_begin[row + 1] - matrix_.row_begin[row]);
    }
    CheckResult check;
    check.close("x", result_, want,
                {.relative = steps_ * (longest + 1) * 0x1p-24,
                 .reason = "all terms are positive: in every step a product and as many sums as "
                           "the longest row has entries, 2^-24 each"});
    return check;
  }

 private:
  struct Entry {
    std::size_t row, column;
    double value;
  };

  void multiply_rows(Gpu& device) {
    const auto row_begin = device.upload(matrix_.row_begin, "row_begin");
    const auto columns = device.upload(matrix_.columns, "columns");
    const auto values = device.upload(matrix_.values, "values");
    Array<float> x = device.upload(start_, "x");
    Array<float> y = device.allocate<float>(start_.size(), "y");
    for (int step = 0; step < steps_; ++step) {
      device.launch("multiply_rows", shape(), row_begin, columns, values, x, y,
                    static_cast<int>(matrix_.rows()));
      std::swap(x, y);
    }
    result_ = device.download(x);
  }

  void multiply_diagonals(Gpu& device) {
    const spmv::Diagonals diagonals = spmv::diagonals_of(matrix_, spmv_jds::kWarpRows);
    Array<float> x = device.upload(start_, "x");
    Array<float> y = device.allocate<float>(start_.size(), "y");
    device.write_symbol("diagonal_begin", diagonals.begin);
    device.write_symbol("warp_length", diagonals.warp_length);
    const auto columns = device.upload(diagonals.columns, "columns");
    const auto values = device.upload(diagonals.values, "values");
    const auto row_of = device.upload(diagonals.row_of, "row_of");
    for (int step = 0; step < steps_; ++step) {
      device.launch("multiply_diagonals", shape(), columns, values, row_of, x, y,
                    static_cast<int>(matrix_.rows()));
      std::swap(x, y);
    }
    result_ = device.download(x);
  }

  LaunchShape shape() const {
    return {.grid = {blocks_for(matrix_.rows(), kBlock)}, .block = {kBlock}};
  }

  std::vector<Entry> entries_by_column() const {
    std::vector<Entry> entries;
    for (std::size_t row = 0; row < matrix_.rows(); ++row) {
      const auto end = static_cast<std::size_t>(matrix_.row_begin[row + 1]);
      for (auto i = static_cast<std::size_t>(matrix_.row_begin[row]); i < end; ++i) {
        entries.push_back({row, static_cast<std::size_t>(matrix_.columns[i]),
                           static_cast<double>(matrix_.values[i])});
      }
    }
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.column < b.column; });
    return entries;
  }

  Format format_;
  int steps_;
  spmv::Matrix matrix_;
  std::vector<float> start_, result_;
};

template <Format format>
std::unique_ptr<HostProgram> make_spmv(Size size, std::uint64_t seed) {
  return std::make_unique<Spmv>(format, size, seed);
}

const Registration kRows({
    .name = "spmv",
    .summary = "Products of a sparse matrix in compressed rows with a vector, one after the other",
    .papers = {"preexec section 6.1"},
    .kernels = {{"multiply_rows", {kBlock}}},
    .make = make_spmv<Format::compressed_rows>,
});

const Registration kDiagonals({
    .name = "spmv-jds",
    .summary = "Products of a sparse matrix in jagged diagonals with a vector",
    .papers = {"preexec Table 2"},
    .kernels = {{"multiply_diagonals", {kBlock}}},
    .make = make_spmv<Format::jagged_diagonals>,
});

}  // namespace
}  // namespace heddle::workload::spmv_host
