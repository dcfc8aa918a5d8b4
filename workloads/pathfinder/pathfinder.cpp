#include <algorithm>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::pathfinder_host {
namespace {

/// Rows per launch.
constexpr int kPyramidHeight = 20;

struct Extent {
  int columns, rows;
};

/// Paths start in the first row. Only in the paper's size, the number of other rows is a multiple
/// of the rows per launch.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {1000, 48};
    case Size::small:
      return {9000, 76};
    case Size::medium:
      return {70'000, 97};
    case Size::large:
      return {300'000, 188};
    case Size::paper:
      return {100'000, 101};  // simt Table 3: 100000 columns
  }
  return {};
}

class Pathfinder final : public HostProgram {
 public:
  Pathfinder(Size size, std::uint64_t seed) : extent_(extent_of(size)) {
    Random random(seed);
    weights_.resize(static_cast<std::size_t>(extent_.columns) *
                    static_cast<std::size_t>(extent_.rows));
    for (int& weight : weights_) weight = static_cast<int>(random.below(10));
  }

  void run(Gpu& device) override {
    const auto columns = static_cast<std::size_t>(extent_.columns);
    const Array<int> weights = device.upload(weights_, "weights");
    Array<int> before = device.allocate<int>(columns, "costs");
    Array<int> after = device.allocate<int>(columns, "costs after");
    device.copy(before, Array<int>{weights.address, columns});
    for (int row = 1; row < extent_.rows; row += kPyramidHeight) {
      const int steps = std::min(kPyramidHeight, extent_.rows - row);
      const int written = kSpan - 2 * steps;
      const auto blocks = static_cast<std::uint32_t>((extent_.columns + written - 1) / written);
      device.launch("pathfinder", {.grid = {blocks}, .block = {kSpan}},
                    weights.from(static_cast<std::size_t>(row) * columns), before, after,
                    extent_.columns, steps);
      std::swap(before, after);
    }
    result_ = device.download(before);
  }

  CheckResult check() const override {
    CheckResult check;
    check.exact("cost", result_, cheapest_paths());
    return check;
  }

 private:
  /// Propagates every cell's cost to the three below it.
  std::vector<int> cheapest_paths() const {
    const auto columns = static_cast<std::size_t>(extent_.columns);
    std::vector<int> costs(columns, 0), reached(columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(extent_.rows); ++row) {
      if (row == 0) {
        std::fill(reached.begin(), reached.end(), 0);
      } else {
        reached = costs;
        for (std::size_t i = 0; i < columns; ++i) {
          if (i > 0) reached[i - 1] = std::min(reached[i - 1], costs[i]);
          if (i + 1 < columns) reached[i + 1] = std::min(reached[i + 1], costs[i]);
        }
      }
      for (std::size_t i = 0; i < columns; ++i) costs[i] = reached[i] + weights_[row * columns + i];
    }
    return costs;
  }

  Extent extent_;
  std::vector<int> weights_, result_;
};

const Registration kRegistration({
    .name = "pathfinder",
    .summary = "The cheapest paths through a grid of weights, row by row",
    .papers = {"warpman Table 2", "simt Table 3"},
    .kernels = {{"pathfinder",
                 {kSpan},
                 PaperResources{.source = "warpman Table 2",
                                .registers_per_thread = 13,
                                .shared_bytes_per_block = 2 * 1024,
                                .blocks_per_sm = 6}}},
    .has_paper_size = true,
    .make = make_program<Pathfinder>,
});

}  // namespace
}  // namespace heddle::workload::pathfinder_host
