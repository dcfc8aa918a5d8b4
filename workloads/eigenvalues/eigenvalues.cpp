#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "kernel.h"
#include "qr_iteration.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::eigenvalues_host {
namespace {

using ::eigenvalues::Interval;
using ::eigenvalues::kBlock;
using ::eigenvalues::kSmallBlock;

struct Extent {
  std::size_t small, large;  ///< The rows of the two matrices.
  double precision;          ///< The final width of intervals, as a share of the first one.
};

/// The large matrix has more eigenvalues than `part` separates: it stops at 129 intervals or more.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {16, 148, 0x1p-10};
    case Size::small:
      return {128, 360, 0x1p-20};
    case Size::medium:
      return {256, 800, 0x1p-20};
    case Size::large:
    case Size::paper:
      break;
  }
  return {512, 2048, 0x1p-20};
}

struct Tridiagonal {
  std::vector<float> diagonal, beside;

  /// The interval that contains all eigenvalues (Gershgorin), enlarged for rounding.
  Interval range() const {
    float least = diagonal.front(), most = diagonal.front();
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      const float after = i + 1 < beside.size() ? std::abs(beside[i + 1]) : 0.0F;
      const float radius = std::abs(beside[i]) + after;
      least = std::min(least, diagonal[i] - radius);
      most = std::max(most, diagonal[i] + radius);
    }
    const float margin = (most - least) * 0x1p-16F;
    return {least - margin, most + margin, 0, static_cast<int>(diagonal.size())};
  }
};

Tridiagonal random_matrix(std::size_t rows, Random& random) {
  Tridiagonal matrix;
  for (std::size_t i = 0; i < rows; ++i) {
    matrix.diagonal.push_back(random.uniform_float(-1, 1));
    matrix.beside.push_back(i == 0 ? 0 : random.uniform_float(-1, 1));
  }
  return matrix;
}

/// A matrix as the kernels take it, with device addresses.
struct DeviceMatrix {
  Address diagonal, beside;
  std::int32_t rows;
};
static_assert(sizeof(DeviceMatrix) == sizeof(::eigenvalues::Matrix));

DeviceMatrix upload(Gpu& device, const Tridiagonal& matrix, const std::string& name) {
  return {.diagonal = device.upload(matrix.diagonal, name + " diagonal").address,
          .beside = device.upload(matrix.beside, name + " beside").address,
          .rows = static_cast<std::int32_t>(matrix.diagonal.size())};
}

class Eigenvalues final : public HostProgram {
 public:
  Eigenvalues(Size size, std::uint64_t seed) : precision_(extent_of(size).precision) {
    Random random(seed);
    small_ = random_matrix(extent_of(size).small, random);
    large_ = random_matrix(extent_of(size).large, random);
  }

  void run(Gpu& device) override {
    const DeviceMatrix small = upload(device, small_, "small matrix");
    const auto eigenvalues = device.allocate<float>(small_.diagonal.size(), "small eigenvalues");
    device.launch("bisect_small", {.grid = {1}, .block = {kSmallBlock}}, small, small_.range(),
                  final_width(small_), eigenvalues);
    small_eigenvalues_ = device.download(eigenvalues);
    large_eigenvalues_ = eigenvalues_of_large(device);
  }

  CheckResult check() const override {
    CheckResult check;
    check_eigenvalues(check, "of the small matrix", small_, small_eigenvalues_);
    check_eigenvalues(check, "of the large matrix", large_, large_eigenvalues_);
    return check;
  }

 private:
  /// Intervals with several eigenvalues, grouped into the blocks of a launch.
  struct Batches {
    std::vector<Interval> intervals;
    std::vector<std::int32_t> first{0};  ///< The index of each block's first interval, and the end.
    int eigenvalues = 0;                 ///< Their number in the last block.

    void add(const Interval& interval) {
      const int more = interval.below_right - interval.below_left;
      if (eigenvalues + more > kBlock) {
        first.push_back(static_cast<std::int32_t>(intervals.size()));
        eigenvalues = 0;
      }
      eigenvalues += more;
      intervals.push_back(interval);
    }
    void finish() { first.push_back(static_cast<std::int32_t>(intervals.size())); }
    bool is_empty() const { return intervals.empty(); }
  };

  /// The width at which an interval is no longer halved.
  float final_width(const Tridiagonal& matrix) const {
    const Interval range = matrix.range();
    return static_cast<float>(precision_ * static_cast<double>(range.right - range.left));
  }

  std::vector<float> eigenvalues_of_large(Gpu& device) const {
    const DeviceMatrix matrix = upload(device, large_, "large matrix");
    const auto eigenvalues = device.allocate<float>(large_.diagonal.size(), "eigenvalues");
    const float width = final_width(large_);
    const LaunchShape one_block{.grid = {1}, .block = {kBlock}};

    std::vector<Interval> singles;
    Batches batches;
    const auto single = device.allocate<Interval>(kBlock, "single");
    const auto several = device.allocate<Interval>(kBlock, "several");
    const auto counts = device.allocate<std::int32_t>(2, "counts");
    device.fill(counts, 0);
    // Intervals with more eigenvalues than a block has threads are split again.
    std::vector<Interval> to_part{large_.range()};
    while (!to_part.empty()) {
      const Interval interval = to_part.back();
      to_part.pop_back();
      device.launch("part", one_block, matrix, interval, width, single, several, counts);
      const std::vector<std::int32_t> found = device.download(counts);
      append(singles, device, single, found[0]);
      std::vector<Interval> parts;
      append(parts, device, several, found[1]);
      for (const Interval& part : parts) {
        if (part.below_right - part.below_left > kBlock) {
          to_part.push_back(part);
        } else {
          batches.add(part);
        }
      }
    }
    batches.finish();

    if (!singles.empty()) {
      const auto intervals = device.upload(singles, "single intervals");
      device.launch("bisect_single",
                    {.grid = {blocks_for(singles.size(), kBlock)}, .block = {kBlock}}, matrix,
                    intervals, static_cast<std::int32_t>(singles.size()), width, eigenvalues);
    }
    if (!batches.is_empty()) {
      const auto intervals = device.upload(batches.intervals, "intervals with several");
      const auto first = device.upload(batches.first, "first of a block");
      device.launch(
          "bisect_several",
          {.grid = {static_cast<std::uint32_t>(batches.first.size() - 1)}, .block = {kBlock}},
          matrix, intervals, first, width, eigenvalues);
    }
    return device.download(eigenvalues);
  }

  static void append(std::vector<Interval>& to, Gpu& device, const Array<Interval>& from,
                     std::int32_t count) {
    if (count == 0) return;
    const std::vector<Interval> added =
        device.download(Array<Interval>{from.address, static_cast<std::size_t>(count)});
    to.insert(to.end(), added.begin(), added.end());
  }

  /// An eigenvalue is in a narrow interval, whose middle is the result. At the ends, elimination in
  /// floats counts like exact elimination in a matrix nearby (Kahan, 1966). Subtracting the point
  /// rounds the diagonal once, by at most the range. Square, quotient and the previous pivot have
  /// three roundings; half of that applies to the off-diagonal elements, two of which are in a row.
  void check_eigenvalues(CheckResult& check, const std::string& what, const Tridiagonal& matrix,
                         const std::vector<float>& got) const {
    const Interval range = matrix.range();
    const auto width = static_cast<double>(range.right - range.left);
    double greatest = 0;
    for (const float value : matrix.beside) {
      greatest = std::max(greatest, std::abs(static_cast<double>(value)));
    }
    check.close(
        "eigenvalues " + what, got,
        eigenvalues::by_qr_iteration({matrix.diagonal.begin(), matrix.diagonal.end()},
                                     {matrix.beside.begin(), matrix.beside.end()}),
        {.absolute = precision_ * width / 2 + 0x1p-24 * (2 * width + 3 * greatest),
         .reason = "half an interval, and roundings of 2^-24: one of the diagonal, three halves of "
                   "what is beside it, twice, and one of the middle"});
  }

  double precision_;
  Tridiagonal small_, large_;
  std::vector<float> small_eigenvalues_, large_eigenvalues_;
};

const Registration kRegistration({
    .name = "eigenvalues",
    .summary = "Eigenvalues of tridiagonal matrices by bisection: intervals become more and narrow",
    .papers = {"storage Table 4.2"},
    .kernels = {{"bisect_small", {kSmallBlock}},
                {"part", {kBlock}},
                {"bisect_single", {kBlock}},
                {"bisect_several", {kBlock}}},
    .make = make_program<Eigenvalues>,
});

}  // namespace
}  // namespace heddle::workload::eigenvalues_host
