#include "alignment.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heddle::workload::needle {
namespace {

std::uint8_t random_base(Random& random) { return static_cast<std::uint8_t>(random.below(4)); }

/// True with a probability of `parts` in a thousand.
bool chance(Random& random, std::uint32_t parts) { return random.below(1000) < parts; }

Sequence descendant(const Sequence& ancestor, Random& random) {
  const std::size_t length = ancestor.size();
  Sequence result;
  for (std::size_t i = 0; i < length; ++i) {
    if (i == length * 3 / 10) i += length / 16;  // A stretch is lost,
    if (i == length * 7 / 10) {                  // another is repeated.
      result.insert(result.end(), ancestor.begin() + static_cast<std::ptrdiff_t>(i - length / 12),
                    ancestor.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (chance(random, 12)) {
      i += random.below(6);
    } else if (chance(random, 12)) {
      for (std::uint32_t n = 1 + random.below(6); n != 0; --n) {
        result.push_back(random_base(random));
      }
    } else if (chance(random, 60)) {
      result.push_back(ancestor[i] ^ 2u);  // A for G, C for T: the frequent kind.
    } else if (chance(random, 30)) {
      result.push_back(random_base(random));
    } else {
      result.push_back(ancestor[i]);
    }
  }
  return result;
}

}  // namespace

Pair make_pair(std::size_t columns, std::size_t rows, Random& random) {
  Pair pair;
  for (std::size_t i = 0; i < columns; ++i) pair.above.push_back(random_base(random));
  pair.beside = descendant(pair.above, random);
  while (pair.beside.size() < rows) pair.beside.push_back(random_base(random));
  pair.beside.resize(rows);
  return pair;
}

int similarity(std::uint8_t a, std::uint8_t b) {
  if (a == b) return 5;
  return (a ^ b) == 2 ? -2 : -4;
}

std::vector<int> similarities(const Pair& pair) {
  std::vector<int> result;
  result.reserve(pair.above.size() * pair.beside.size());
  for (const std::uint8_t beside : pair.beside) {
    for (const std::uint8_t above : pair.above) result.push_back(similarity(above, beside));
  }
  return result;
}

std::vector<int> framed_scores(const Pair& pair) {
  const std::size_t columns = pair.above.size();
  const std::size_t rows = pair.beside.size();
  std::vector<int> scores((columns + 1) * (rows + 1));
  for (std::size_t x = 0; x <= columns; ++x) scores[x] = -kGapPenalty * static_cast<int>(x);
  for (std::size_t y = 0; y <= rows; ++y) {
    scores[y * (columns + 1)] = -kGapPenalty * static_cast<int>(y);
  }
  return scores;
}

std::vector<int> best_scores(const Pair& pair) {
  const std::size_t pitch = pair.above.size() + 1;
  std::vector<int> scores(pitch * (pair.beside.size() + 1));
  // Column by column: the best of moves from the left and the diagonal, then gaps downwards.
  std::vector<int> before(pair.beside.size() + 1), column(pair.beside.size() + 1);
  for (std::size_t x = 0; x < pitch; ++x) {
    if (x == 0) {
      column[0] = 0;
      std::fill(column.begin() + 1, column.end(), -1'000'000'000);
    } else {
      for (std::size_t y = 0; y < column.size(); ++y) column[y] = before[y] - kGapPenalty;
      for (std::size_t y = 1; y < column.size(); ++y) {
        column[y] =
            std::max(column[y], before[y - 1] + similarity(pair.above[x - 1], pair.beside[y - 1]));
      }
    }
    for (std::size_t y = 1; y < column.size(); ++y) {
      column[y] = std::max(column[y], column[y - 1] - kGapPenalty);
    }
    for (std::size_t y = 0; y < column.size(); ++y) scores[y * pitch + x] = column[y];
    std::swap(before, column);
  }
  return scores;
}

std::vector<Cell> trace_back(const Pair& pair, const std::vector<int>& scores) {
  const std::size_t pitch = pair.above.size() + 1;
  Cell at{.column = pair.above.size(), .row = pair.beside.size()};
  std::vector<Cell> path{at};
  while (at.column != 0 || at.row != 0) {
    const int score = scores[at.row * pitch + at.column];
    const auto explains = [&](std::size_t left, std::size_t up, int gain) {
      return at.column >= left && at.row >= up &&
             scores[(at.row - up) * pitch + at.column - left] + gain == score;
    };
    if (at.column != 0 && at.row != 0 &&
        explains(1, 1, similarity(pair.above[at.column - 1], pair.beside[at.row - 1]))) {
      --at.column;
      --at.row;
    } else if (explains(1, 0, -kGapPenalty)) {
      --at.column;
    } else if (explains(0, 1, -kGapPenalty)) {
      --at.row;
    } else {
      break;
    }
    path.push_back(at);
  }
  return path;
}

int alignment_score(const Pair& pair, const std::vector<Cell>& path) {
  int sum = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const bool is_aligned = path[i].column != path[i - 1].column && path[i].row != path[i - 1].row;
    sum += is_aligned ? similarity(pair.above[path[i].column], pair.beside[path[i].row])
                      : -kGapPenalty;
  }
  return sum;
}

CheckResult check_scores(const Pair& pair, const std::vector<int>& scores) {
  CheckResult check;
  check.exact("score", scores, best_scores(pair));
  const std::vector<Cell> path = trace_back(pair, scores);
  const bool is_complete = path.back().column == 0 && path.back().row == 0;
  check.require(is_complete, "the alignment's beginning",
                is_complete ? "at the first bases" : "after them", "at the first bases");
  if (is_complete) {
    check.exact("the alignment's score", alignment_score(pair, path), scores.back());
  }
  return check;
}

}  // namespace heddle::workload::needle
