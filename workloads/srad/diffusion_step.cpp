#include "diffusion_step.h"

#include <algorithm>
#include <cmath>

namespace heddle::workload {
namespace {

/// An image whose edge pixels are repeated around it, so that every pixel has four neighbours.
class PaddedImage {
 public:
  PaddedImage(const std::vector<float>& image, std::size_t width, std::size_t height)
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

/// The diffusion coefficient for the squared instantaneous coefficient of variation `variation`: 1
/// / (1 + (variation - speckle) / (speckle (1 + speckle))), rearranged.
double coefficient(double variation, double speckle) {
  return std::min(1.0, speckle * (1 + speckle) / (variation + speckle * speckle));
}

/// The squared coefficient of variation around a pixel, from the ratios of its neighbours to it.
double variation(const PaddedImage& image, std::size_t row, std::size_t column) {
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

}  // namespace

// Computes the flow across every border between two pixels, from one to the other.
std::vector<double> diffused(const SpeckledImage& speckled, double time_step, double speckle) {
  const auto& [width, height, pixels] = speckled;
  const PaddedImage image(pixels, width, height);
  std::vector<double> next(pixels.begin(), pixels.end()), coefficients;
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      coefficients.push_back(coefficient(variation(image, row, column), speckle));
    }
  }
  const double share = time_step / 4;
  for (std::size_t row = 0; row < height; ++row) {
    for (std::size_t column = 0; column < width; ++column) {
      const std::size_t i = row * width + column;
      const double here = image.at(row, column);
      if (row > 0) {
        const double flow = share * coefficients[i] * (image.north(row, column) - here);
        next[i] += flow;
        next[i - width] -= flow;
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

// The bound for an iteration, with u = 2^-24. The image begins between 1 and e, and diffusion keeps
// it there: a difference d from a neighbour is at most 0.63 (1 - 1/e) of the greater of the two.
// `gradient` G is the sum of four squares, `laplacian` L the sum of the numbers squared, so L^2 <=
// 4 G. G/2 is rounded by at most 4 u G and L^2/16 by at most 3 u G, while their difference is at
// least G/4: 30 u of it. The denominator is a mean ratio; the roundings of L are at most 13 u of
// it, twice that for its square. The variation is therefore known to 58 u, the coefficient to 64 u,
// the flow to 71 u. The total flow to or from a pixel is at most 0.63 of its new value; with the
// last addition this is 46 u.
Bound diffusion_bound() {
  return {.relative = 46 * 0x1p-24,
          .reason =
              "an iteration rounds the flow 71 times by 2^-24, and flow is below 0.63 of a "
              "pixel"};
}

}  // namespace heddle::workload
