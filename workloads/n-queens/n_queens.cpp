#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::n_queens_host {
namespace {

using n_queens::kThreads;

/// The number of boards in one launch.
constexpr std::size_t kBatch = std::size_t{64} * kThreads;

struct Problem {
  int side;
  int rows_of_host;  ///< The host fills these in all possible ways.
  /// The blocks of every launch. Empty: as many as the boards of the launch need.
  std::optional<std::uint32_t> blocks{};
};

Problem problem_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {9, 3};
    case Size::small:
      return {11, 4};
    case Size::medium:
      return {13, 4};
    case Size::large:
      return {14, 5};
    case Size::paper:
      return {7, 2, 256};
  }
  return {};
}

/// The number of solutions for boards of 0, 1, 2 ... columns (OEIS A000170).
constexpr std::array<std::uint64_t, 17> kKnown{
    1, 1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};

/// The columns of the queens in the first rows.
using Prefix = std::vector<int>;

bool threatens(const Prefix& prefix, int column) {
  for (std::size_t row = 0; row < prefix.size(); ++row) {
    const int away = static_cast<int>(prefix.size() - row);
    const int aside = std::abs(prefix[row] - column);
    if (aside == 0 || aside == away) return true;
  }
  return false;
}

/// All ways to fill the host's rows. Those with the first queen in the left half come first; their
/// mirror images are not included. Those with the first queen in the middle follow, with their
/// mirror images.
class Expansion {
 public:
  Expansion(const Problem& problem, std::uint64_t seed) : problem_(problem) {
    Random random(seed);
    for (int row = 0; row < problem.rows_of_host; ++row) {
      std::vector<int>& order = orders_.emplace_back(static_cast<std::size_t>(problem.side));
      std::iota(order.begin(), order.end(), 0);
      for (std::uint32_t remaining = static_cast<std::uint32_t>(order.size()); remaining > 1;
           --remaining) {
        std::swap(order[remaining - 1], order[random.below(remaining)]);
      }
    }
    Prefix prefix;
    const int half = problem.side / 2;
    fill(prefix, 0, half);
    mirrored_count_ = prefixes_.size();
    fill(prefix, half, problem.side - half);
  }

  const std::vector<Prefix>& prefixes() const { return prefixes_; }
  /// The number of leading prefixes that also count for their mirror images.
  std::size_t mirrored_count() const { return mirrored_count_; }

 private:
  /// Fills the rows with the first queen in [begin, end) and the others anywhere.
  void fill(Prefix& prefix, int begin, int end) {
    if (prefix.size() == orders_.size()) {
      prefixes_.push_back(prefix);
      return;
    }
    for (const int column : orders_[prefix.size()]) {
      if (column < begin || column >= end || threatens(prefix, column)) continue;
      prefix.push_back(column);
      fill(prefix, 0, problem_.side);
      prefix.pop_back();
    }
  }

  Problem problem_;
  std::vector<std::vector<int>> orders_;  ///< The order in which a row's columns are tried.
  std::vector<Prefix> prefixes_;
  std::size_t mirrored_count_ = 0;
};

/// Counts the completions of a prefix, with a flag for each column and each diagonal of the board.
class Counter {
 public:
  explicit Counter(int side)
      : side_(side), columns_(index(side)), rising_(index(2 * side)), falling_(index(2 * side)) {}

  std::uint32_t completions(const Prefix& prefix) {
    const int rows = static_cast<int>(prefix.size());
    for (int row = 0; row < rows; ++row) mark(row, prefix[index(row)], true);
    const std::uint32_t count = completions_from(rows);
    for (int row = 0; row < rows; ++row) mark(row, prefix[index(row)], false);
    return count;
  }

 private:
  static std::size_t index(int value) { return static_cast<std::size_t>(value); }

  void mark(int row, int column, bool value) {
    columns_[index(column)] = rising_[index(row + column)] = falling_[index(row - column + side_)] =
        value;
  }

  std::uint32_t completions_from(int row) {
    if (row == side_) return 1;
    std::uint32_t count = 0;
    for (int column = 0; column < side_; ++column) {
      if (columns_[index(column)] || rising_[index(row + column)] ||
          falling_[index(row - column + side_)]) {
        continue;
      }
      mark(row, column, true);
      count += completions_from(row + 1);
      mark(row, column, false);
    }
    return count;
  }

  int side_;
  std::vector<char> columns_, rising_, falling_;
};

class NQueens final : public HostProgram {
 public:
  NQueens(Size size, std::uint64_t seed) : problem_(problem_of(size)), expansion_(problem_, seed) {}

  void run(Gpu& device) override {
    solutions_.clear();
    const auto down = device.allocate<std::uint32_t>(kBatch, "down");
    const auto leftwards = device.allocate<std::uint32_t>(kBatch, "leftwards");
    const auto rightwards = device.allocate<std::uint32_t>(kBatch, "rightwards");
    const auto solutions =
        device.allocate<std::uint32_t>(problem_.blocks.value_or(kBatch / kThreads), "solutions");
    const std::uint32_t all_columns = (1u << problem_.side) - 1;
    const std::size_t count = expansion_.prefixes().size();
    for (std::size_t begin = 0; begin < count; begin += kBatch) {
      const std::size_t boards = std::min(kBatch, count - begin);
      const Threats threats = threats_of(begin, boards);
      device.write(down, threats.down);
      device.write(leftwards, threats.leftwards);
      device.write(rightwards, threats.rightwards);
      const std::size_t counted_twice = std::min(
          expansion_.mirrored_count() - std::min(expansion_.mirrored_count(), begin), boards);
      const auto needed = static_cast<std::uint32_t>((boards + kThreads - 1) / kThreads);
      const std::uint32_t blocks = problem_.blocks.value_or(needed);
      device.launch("complete_boards", {.grid = {blocks}, .block = {kThreads}},
                    BoardsArgument{down.address, leftwards.address, rightwards.address,
                                   static_cast<std::int32_t>(boards),
                                   static_cast<std::int32_t>(counted_twice)},
                    all_columns, problem_.side - problem_.rows_of_host, solutions);
      const auto sums = device.download(Array<std::uint32_t>{solutions.address, blocks});
      solutions_.insert(solutions_.end(), sums.begin(), sums.end());
    }
  }

  CheckResult check() const override {
    Counter counter(problem_.side);
    const std::vector<Prefix>& prefixes = expansion_.prefixes();
    std::vector<std::uint32_t> want((prefixes.size() + kThreads - 1) / kThreads);
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
      want[i / kThreads] +=
          counter.completions(prefixes[i]) * (i < expansion_.mirrored_count() ? 2u : 1u);
    }
    CheckResult check;
    // Blocks without boards find nothing.
    if (problem_.blocks) want.resize(*problem_.blocks);
    check.exact("solutions of block", solutions_, want);
    check.exact("solutions",
                std::accumulate(solutions_.begin(), solutions_.end(), std::uint64_t{0}),
                kKnown[static_cast<std::size_t>(problem_.side)]);
    return check;
  }

 private:
  struct Threats {
    std::vector<std::uint32_t> down, leftwards, rightwards;
  };
  /// n_queens::Boards with device addresses.
  struct BoardsArgument {
    Address down, leftwards, rightwards;
    std::int32_t count, counted_twice;
  };
  static_assert(sizeof(BoardsArgument) == sizeof(n_queens::Boards));

  Threats threats_of(std::size_t begin, std::size_t count) const {
    Threats threats;
    for (std::size_t i = begin; i < begin + count; ++i) {
      std::uint32_t down = 0, leftwards = 0, rightwards = 0;
      for (const int column : expansion_.prefixes()[i]) {
        const std::uint32_t queen = 1u << column;
        down |= queen;
        leftwards = (leftwards | queen) << 1;
        rightwards = (rightwards | queen) >> 1;
      }
      threats.down.push_back(down);
      threats.leftwards.push_back(leftwards);
      threats.rightwards.push_back(rightwards);
    }
    return threats;
  }

  Problem problem_;
  Expansion expansion_;
  std::vector<std::uint32_t> solutions_;  ///< For each thread block.
};

const Registration kRegistration({
    .name = "n-queens",
    .summary = "In how many ways queens can stand on a board and leave each other alone",
    .papers = {"simt Table 3", "simt Table 7"},
    .kernels = {{"complete_boards", {kThreads}}},
    .has_paper_size = true,
    .make = make_program<NQueens>,
});

}  // namespace
}  // namespace heddle::workload::n_queens_host
