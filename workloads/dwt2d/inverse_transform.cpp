#include "inverse_transform.h"

#include <cmath>

namespace heddle::workload::dwt2d {
namespace {

/// A line of an image's values.
class Line {
 public:
  Line(std::vector<int>& values, std::size_t first, std::size_t step, std::size_t count)
      : values_(values), first_(first), step_(step), count_(count) {}

  /// Inverts the transform. Averages, which come first, become samples at even places; differences
  /// become those at odd places.
  void undo() {
    const std::size_t averages = (count_ + 1) / 2;
    std::vector<int> samples(count_);
    for (std::size_t i = 0; i < averages; ++i) {
      // At an end there is a difference on one side only, which counts twice.
      const int before = at(averages + (i > 0 ? i - 1 : 0));
      const int after = at(averages + (2 * i + 1 < count_ ? i : i - 1));
      samples[2 * i] = at(i) - static_cast<int>(std::floor((before + after + 2) / 4.0));
    }
    for (std::size_t i = 1; i < count_; i += 2) {
      const int after = samples[i + 1 < count_ ? i + 1 : i - 1];
      samples[i] =
          at(averages + i / 2) + static_cast<int>(std::floor((samples[i - 1] + after) / 2.0));
    }
    for (std::size_t i = 0; i < count_; ++i) at(i) = samples[i];
  }

 private:
  int& at(std::size_t i) { return values_[first_ + i * step_]; }

  std::vector<int>& values_;
  std::size_t first_, step_, count_;
};

}  // namespace

std::vector<int> undo_53(std::vector<int> bands, std::size_t width, std::size_t height,
                         int levels) {
  const std::size_t stride = width;
  const auto half_of = [](std::size_t length, int level) {
    for (; level > 0; --level) length = (length + 1) / 2;
    return length;
  };
  for (int level = levels - 1; level >= 0; --level) {
    const std::size_t columns = half_of(width, level), rows = half_of(height, level);
    for (std::size_t column = 0; column < columns; ++column) {
      Line(bands, column, stride, rows).undo();
    }
    for (std::size_t row = 0; row < rows; ++row) Line(bands, row * stride, 1, columns).undo();
  }
  return bands;
}

}  // namespace heddle::workload::dwt2d
