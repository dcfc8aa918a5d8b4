#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "alignment.h"
#include "base/colour.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload {
namespace {

constexpr std::uint32_t kResidentBlock = 1024;

/// The partition of the matrix into square tiles; a block has as many threads as a tile has
/// columns.
struct Blocking {
  int side;
  const char* upper_left;
  const char* lower_right;
};

constexpr Blocking kBy16{16, "needle_upper_left", "needle_lower_right"};
constexpr Blocking kBy32{32, "needle_upper_left_32", "needle_lower_right_32"};
constexpr Blocking kBy64{64, "needle_upper_left_64", "needle_lower_right_64"};

struct Lengths {
  std::size_t columns, rows;
};

/// Lengths that are neither equal nor multiples of the tile, except the paper's.
Lengths lengths_of(GridChoice grid, Size size) {
  // Chosen for about as many thread instructions as the large-warps paper ran: 100 to 200 million.
  if (grid == GridChoice::resident && size == Size::medium) return {2050, 1800};
  switch (size) {
    case Size::tiny:
      return {105, 90};
    case Size::small:
      return {430, 500};
    case Size::medium:
      return {1400, 1250};
    case Size::large:
      return {3500, 3650};
    case Size::paper:
      return {2048, 2048};  // storage section 7.1.1
  }
  return {};
}

class Needle final : public HostProgram {
 public:
  Needle(GridChoice grid, const Blocking& blocking, Size size, std::uint64_t seed)
      : grid_(grid), blocking_(blocking) {
    Random random(seed);
    const Lengths lengths = lengths_of(grid, size);
    pair_ = needle::make_pair(lengths.columns, lengths.rows, random);
  }

  void run(Gpu& device) override {
    if (grid_ == GridChoice::resident) {
      run_by_diagonals(device);
    } else {
      run_by_tiles(device);
    }
  }

  CheckResult check() const override { return needle::check_scores(pair_, scores_); }

  /// The difference of each score from the best on its diagonal, and the alignment.
  std::optional<Picture> picture() const override {
    const std::size_t columns = pair_.above.size() + 1;
    const std::size_t rows = pair_.beside.size() + 1;
    std::vector<int> best(columns + rows, std::numeric_limits<int>::min());
    for (std::size_t y = 0; y < rows; ++y) {
      for (std::size_t x = 0; x < columns; ++x) {
        best[x + y] = std::max(best[x + y], scores_[y * columns + x]);
      }
    }
    const std::size_t shrink = (std::max(columns, rows) + 999) / 1000;
    const std::size_t width = (columns + shrink - 1) / shrink;
    const std::size_t height = (rows + shrink - 1) / shrink;
    Picture picture{
        .width = static_cast<int>(width), .height = static_cast<int>(height), .pixels = {}};
    const double scale = 0.5 * static_cast<double>(std::min(columns, rows));
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        const std::size_t cell = y * shrink * columns + x * shrink;
        const int behind = best[(x + y) * shrink] - scores_[cell];
        picture.pixels.push_back(heat(0.9 / (1 + static_cast<double>(behind) / scale)));
      }
    }
    for (const needle::Cell& cell : needle::trace_back(pair_, scores_)) {
      picture.pixels[cell.row / shrink * width + cell.column / shrink] = rgb(0, 220, 120);
    }
    return picture;
  }

 private:
  void run_by_tiles(Gpu& device) {
    const Array<int> gains = device.upload(needle::similarities(pair_), "similarity");
    const Array<int> scores = device.upload(needle::framed_scores(pair_), "scores");

    const auto width = static_cast<int>(pair_.above.size());
    const auto height = static_cast<int>(pair_.beside.size());
    const int side = blocking_.side;
    const int tile_columns = (width + side - 1) / side;
    const int tile_rows = (height + side - 1) / side;
    for (int diagonal = 0; diagonal < tile_columns + tile_rows - 1; ++diagonal) {
      const int first = std::max(0, diagonal - (tile_rows - 1));
      const int last = std::min(diagonal, tile_columns - 1);
      const LaunchShape shape{.grid = {static_cast<std::uint32_t>(last - first + 1)},
                              .block = {static_cast<std::uint32_t>(side)}};
      if (diagonal < tile_rows) {
        device.launch(blocking_.upper_left, shape, scores, gains, width, height,
                      needle::kGapPenalty, diagonal);
      } else {
        device.launch(blocking_.lower_right, shape, scores, gains, width, height,
                      needle::kGapPenalty, diagonal, tile_rows - 1);
      }
    }
    scores_ = device.download(scores);
  }

  /// The matrices are skewed, so that a diagonal of cells is a row in memory.
  void run_by_diagonals(Gpu& device) {
    const std::size_t columns = pair_.above.size();
    const std::size_t rows = pair_.beside.size();
    const std::size_t pitch = columns + 1;
    const auto skewed = [&](std::size_t x, std::size_t y) { return (x + y) * pitch + x; };
    std::vector<int> similarity((columns + rows + 1) * pitch);
    for (std::size_t y = 0; y < rows; ++y) {
      for (std::size_t x = 0; x < columns; ++x) {
        similarity[skewed(x + 1, y + 1)] = needle::similarity(pair_.above[x], pair_.beside[y]);
      }
    }
    // In the first row and column every base is in a gap.
    std::vector<int> frame(similarity.size());
    for (std::size_t x = 0; x <= columns; ++x) {
      frame[skewed(x, 0)] = -needle::kGapPenalty * static_cast<int>(x);
    }
    for (std::size_t y = 0; y <= rows; ++y) {
      frame[skewed(0, y)] = -needle::kGapPenalty * static_cast<int>(y);
    }
    const Array<int> gains = device.upload(similarity, "similarity");
    const Array<int> scores = device.upload(frame, "scores");

    const std::size_t longest = std::min(columns, rows);
    const LaunchShape shape = device.resident_shape("needle_resident", kResidentBlock, longest);
    const int end = static_cast<int>(columns + rows + 1);
    // A barrier synchronises the threads of one block only; several blocks need another launch.
    const int diagonals = shape.grid.x == 1 ? end : 1;
    for (int first = 2; first < end; first += diagonals) {
      device.launch("needle_resident", shape, scores, gains, static_cast<int>(columns),
                    static_cast<int>(rows), needle::kGapPenalty, first,
                    std::min(first + diagonals, end));
    }
    const std::vector<int> by_diagonals = device.download(scores);
    scores_.clear();
    for (std::size_t y = 0; y <= rows; ++y) {
      for (std::size_t x = 0; x <= columns; ++x) scores_.push_back(by_diagonals[skewed(x, y)]);
    }
  }

  GridChoice grid_;
  Blocking blocking_;
  needle::Pair pair_;
  std::vector<int> scores_;
};

template <GridChoice grid, const Blocking& blocking>
std::unique_ptr<HostProgram> make_needle(Size size, std::uint64_t seed) {
  return std::make_unique<Needle>(grid, blocking, size, seed);
}

/// The three sizes of tiles are workloads that differ in nothing else.
template <const Blocking& blocking>
Workload needle_by(std::string name, std::string summary) {
  const auto side = static_cast<std::uint32_t>(blocking.side);
  return {
      .name = std::move(name),
      .folder = "needle",
      .summary = std::move(summary),
      .papers = {"storage Table 4.3", "storage Table 7.1"},
      .kernels = {{blocking.upper_left, {side}}, {blocking.lower_right, {side}}},
      .has_paper_size = true,
      .has_picture = true,
      .make = make_needle<GridChoice::input, blocking>,
  };
}

Workload needle_by_16() {
  Workload needle =
      needle_by<kBy16>("needle", "The best alignment of two DNA sequences (Needleman-Wunsch)");
  needle.papers.insert(needle.papers.begin(), {"large-warps Table 2", "simt Section 5.5"});
  needle.resident = ResidentForm{.kernels = {{"needle_resident", {kResidentBlock}}},
                                 .make = make_needle<GridChoice::resident, kBy16>};
  return needle;
}

const Registration kNeedle(needle_by_16());
const Registration kNeedle32(needle_by<kBy32>("needle-32",
                                              "needle in tiles of 32 x 32 cells, a warp each"));
const Registration kNeedle64(needle_by<kBy64>("needle-64",
                                              "needle in tiles of 64 x 64 cells, two warps each"));

}  // namespace
}  // namespace heddle::workload
