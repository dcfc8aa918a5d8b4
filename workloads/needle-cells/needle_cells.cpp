#include <algorithm>
#include <vector>

#include "../needle/alignment.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::needle_cells_host {
namespace {

constexpr int kThreads = 256;

/// Bases of either sequence. As in the loop of simt, section 4.3, the matrix is square.
std::size_t bases_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 300;
    case Size::small:
      return 1000;
    case Size::medium:
      return 2000;
    case Size::large:
      return 6000;
    case Size::paper:
      break;
  }
  return 0;
}

class NeedleCells final : public HostProgram {
 public:
  NeedleCells(Size size, std::uint64_t seed) {
    Random random(seed);
    pair_ = needle::make_pair(bases_of(size), bases_of(size), random);
  }

  void run(Gpu& device) override {
    const Array<int> gains = device.upload(needle::similarities(pair_), "similarity");
    const Array<int> scores = device.upload(needle::framed_scores(pair_), "scores");
    const auto bases = static_cast<int>(pair_.above.size());
    for (int diagonal = 0; diagonal < 2 * bases - 1; ++diagonal) {
      const int leftmost = std::max(0, diagonal - (bases - 1));
      const int cells = std::min(diagonal, bases - 1) - leftmost + 1;
      const int blocks = (cells - 1) / kThreads + 1;
      device.launch("needle_cells",
                    {.grid = {static_cast<std::uint32_t>(blocks)}, .block = {kThreads}}, scores,
                    gains, bases, needle::kGapPenalty, diagonal, leftmost, cells);
    }
    scores_ = device.download(scores);
  }

  CheckResult check() const override { return needle::check_scores(pair_, scores_); }

 private:
  needle::Pair pair_;
  std::vector<int> scores_;
};

const Registration kRegistration({
    .name = "needle-cells",
    .summary = "needle without tiles: every diagonal of cells is a launch",
    .papers = {"simt Table 7"},
    .kernels = {{"needle_cells", {kThreads}}},
    .make = make_program<NeedleCells>,
});

}  // namespace
}  // namespace heddle::workload::needle_cells_host
