#include "srad_reference.h"

#include <cmath>

#include "diffusion_step.h"

namespace heddle::workload {
namespace {

constexpr double kRounding = 0x1p-24;

/// The number of additions on one pixel's path through the trees of all launches, nine levels each.
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

void check_srad(const SradRun& run, CheckResult& check) {
  std::vector<double> want;
  for (const float level : run.levels) want.push_back(std::exp(static_cast<double>(level) / 255));
  check.close("extracted", run.frames.front(), want,
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
    const std::vector<double> next =
        diffused({run.width, run.height, frame}, run.time_step, run.statistics[i].speckle);
    images.insert(images.end(), run.frames[i + 1].begin(), run.frames[i + 1].end());
    want_images.insert(want_images.end(), next.begin(), next.end());
  }
  // All numbers are positive, so each addition on the path rounds by at most 2^-24 of the total.
  const double depth = additions_of(run.levels.size());
  check.close("sum", sums, want_sums,
              {.relative = depth * kRounding,
               .reason = "a tree of additions of positive numbers, 2^-24 each on the way"});
  check.close(
      "sum of squares", squares, want_squares,
      {.relative = (depth + 1) * kRounding, .reason = "as the sum, and 2^-24 of each square"});
  check.close("speckle", speckles, want_speckles,
              {.relative = (3 * depth + 2) * kRounding,
               .absolute = (3 * depth + 1) * kRounding,
               .reason = "squares by the mean's square, less 1: the sums' roundings, 2^-24 each"});
  check.close("image after each iteration", images, want_images, diffusion_bound());
  want.clear();
  for (const float pixel : run.frames.back()) {
    want.push_back(std::log(static_cast<double>(pixel)) * 255);
  }
  check.close("result", run.result, want,
              {.relative = 3 * kRounding, .reason = "logf within 1 ulp, and a product"});
}

}  // namespace heddle::workload
