#include "srad_reference.h"

#include <algorithm>
#include <cmath>

namespace heddle::workload {
namespace {

constexpr double kRounding = 0x1p-24;

/// A pixel and those around it, with the image's edge repeated.
class Around {
 public:
  Around(const std::vector<float>& image, std::size_t width, std::size_t height)
      : padded_width_(width + 2) {
    for (std::size_t row = 0; row < height + 2; ++row) {
      const std::size_t from = std::clamp<std::size_t>(row, 1, height) - 1;
      const auto begin = image.begin() + static_cast<std::ptrdiff_t>(from * width);
      const auto end = begin + static_cast<std::ptrdiff_t>(width);
      pixels_.push_back(*begin);
      pixels_.insert(pixels_.end(), begin, end);
      pixels_.push_back(*(end - 1));
    }
  }

  double at(std::size_t row, std::size_t column) const {
    return pixels_[(row + 1) * padded_width_ + column + 1];
  }
  double north(std::size_t row, std::size_t column) const { return at(row - 1, column); }
  double south(std::size_t row, std::size_t column) const { return at(row + 1, column); }
  double west(std::size_t row, std::size_t column) const { return at(row, column - 1); }
  double east(std::size_t row, std::size_t column) const { return at(row, column + 1); }

 private:
  std::size_t padded_width_;
  std::vector<double> pixels_;
};

/// The diffusion coefficient where the instantaneous coefficient of variation has the square
/// `variation`: 1 / (1 + (variation - speckle) / (speckle (1 + speckle))), put otherwise.
double coefficient(double variation, double speckle) {
  return std::min(1.0, speckle * (1 + speckle) / (variation + speckle * speckle));
}

/// The square of the coefficient of variation around a pixel, from ratios to the pixel.
double variation(const Around& image, std::size_t row, std::size_t column) {
  const double here = image.at(row, column);
  double ratios = 0, gradient = 0;
  for (const double neighbour : {image.north(row, column), image.south(row, column),
                                 image.west(row, column), image.east(row, column)}) {
    const double ratio = neighbour / here;
    ratios += ratio;
    gradient += (ratio - 1) * (ratio - 1);
  }
  const double laplacian = ratios - 4, mean = ratios / 4;
  return (gradient / 2 - laplacian * laplacian / 16) / (mean * mean);
}

/// Along every border between two pixels, what flows goes from one to the other.
std::vector<double> diffuse(const SradRun& run, const std::vector<float>& frame, double speckle) {
  const Around image(frame, run.width, run.height);
  std::vector<double> next(frame.begin(), frame.end()), coefficients;
  for (std::size_t row = 0; row < run.height; ++row) {
    for (std::size_t column = 0; column < run.width; ++column) {
      coefficients.push_back(coefficient(variation(image, row, column), speckle));
    }
  }
  const double share = run.time_step / 4;
  for (std::size_t row = 0; row < run.height; ++row) {
    for (std::size_t column = 0; column < run.width; ++column) {
      const std::size_t i = row * run.width + column;
      const double here = image.at(row, column);
      if (row > 0) {
        const double flow = share * coefficients[i] * (image.north(row, column) - here);
        next[i] += flow;
        next[i - run.width] -= flow;
      }
      if (column > 0) {
        const double flow = share * coefficients[i] * (image.west(row, column) - here);
        next[i] += flow;
        next[i - 1] -= flow;
      }
    }
  }
  return next;
}

/// On the way of one pixel through the trees of all passes, nine levels each.
double additions_of(std::size_t pixels) {
  double additions = 9;
  std::size_t count = (pixels + 511) / 512;
  do {
    additions += 9;
    count = (count + 511) / 512;
  } while (count > 1);
  return additions;
}

}  // namespace

// The bound for an iteration, with u = 2^-24. The image begins between 1 and e, and diffusion
// leaves it there: a difference d from a neighbour is at most 0.63 (1 - 1/e) of the greater of the
// two. `gradient` G is the sum of four squares, `laplacian` L the sum of the numbers squared, so
// that L^2 <= 4 G. G/2 rounds by 4 u G and L^2/16 by 3 u G at most, while their difference is at
// least G/4: 30 u of it. The denominator is a mean ratio; the roundings of L are at most 13 u of
// it, twice for its square. So the variation is known to 58 u, the coefficient to 64 u, the flow to
// 71 u. All that flows to or from a pixel is at most 0.63 of what it is after; the last addition
// makes it 46 u.
void check_srad(const SradRun& run, Verdict& verdict) {
  std::vector<double> want;
  for (const float level : run.levels) want.push_back(std::exp(static_cast<double>(level) / 255));
  verdict.close("extracted", run.frames.front(), want,
                {.relative = 5 * kRounding,
                 .reason = "a division of 2^-24 in the exponent, and expf within 2 ulp"});

  std::vector<float> sums, squares, speckles, images;
  std::vector<double> want_sums, want_squares, want_speckles, want_images;
  for (std::size_t i = 0; i < run.statistics.size(); ++i) {
    const std::vector<float>& frame = run.frames[i];
    double sum = 0, square = 0, scatter = 0;
    for (const double pixel : frame) {
      sum += pixel;
      square += pixel * pixel;
    }
    const auto count = static_cast<double>(frame.size());
    const double mean = sum / count;
    for (const double pixel : frame) scatter += (pixel - mean) * (pixel - mean);
    sums.push_back(run.statistics[i].sum);
    squares.push_back(run.statistics[i].squares);
    speckles.push_back(run.statistics[i].speckle);
    want_sums.push_back(sum);
    want_squares.push_back(square);
    want_speckles.push_back(scatter / count / (mean * mean));
    const std::vector<double> next = diffuse(run, frame, run.statistics[i].speckle);
    images.insert(images.end(), run.frames[i + 1].begin(), run.frames[i + 1].end());
    want_images.insert(want_images.end(), next.begin(), next.end());
  }
  // Numbers above 0 in a tree: each addition on the way rounds by at most 2^-24 of the whole.
  const double depth = additions_of(run.levels.size());
  verdict.close("sum", sums, want_sums,
                {.relative = depth * kRounding,
                 .reason = "a tree of additions of positive numbers, 2^-24 each on the way"});
  verdict.close(
      "sum of squares", squares, want_squares,
      {.relative = (depth + 1) * kRounding, .reason = "as the sum, and 2^-24 of each square"});
  verdict.close(
      "speckle", speckles, want_speckles,
      {.relative = (3 * depth + 2) * kRounding,
       .absolute = (3 * depth + 1) * kRounding,
       .reason = "squares by the mean's square, less 1: the sums' roundings, 2^-24 each"});
  verdict.close(
      "image after each iteration", images, want_images,
      {.relative = 46 * kRounding,
       .reason = "an iteration rounds the flow 71 times by 2^-24, and flow is below 0.63 of "
                 "a pixel"});
  want.clear();
  for (const float pixel : run.frames.back()) {
    want.push_back(std::log(static_cast<double>(pixel)) * 255);
  }
  verdict.close("result", run.result, want,
                {.relative = 3 * kRounding, .reason = "logf within 1 ulp, and a product"});
}

}  // namespace heddle::workload
