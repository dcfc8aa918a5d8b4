#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/colour.h"
#include "blood_frame.h"
#include "kernel.h"
#include "leukocyte_reference.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::leukocyte_host {
namespace {

using namespace ::leukocyte;
using leukocyte::Place;

/// The middle of a cell has a score above this.
constexpr float kThreshold = 3;
/// The flow ends when its mean change is less than this.
constexpr float kCutoff = 0.001F;

struct Extent {
  int width, height;
  int circles, iterations;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {50, 48, 2, 3};
    case Size::small:
      return {118, 54, 7, 5};
    case Size::medium:
      return {150, 108, 7, 40};
    case Size::large:
    case Size::paper:
      break;
  }
  return {260, 200, 7, 100};
}

class Leukocyte final : public HostProgram {
 public:
  Leukocyte(Size size, std::uint64_t seed)
      : extent_(extent_of(size)),
        frame_(leukocyte::make_blood_frame(extent_.width, extent_.height, seed)) {
    Random random(seed);
    // Cells move along the vessel, slightly up or down.
    const float down = random.uniform_float(-0.2F, 0.2F);
    direction_x_ = std::sqrt(1 - down * down);
    direction_y_ = down;
    differentiate();
  }

  void run(Gpu& device) override {
    detect(device);
    cells_ = middles();
    for (const Place& cell : cells_) {
      const std::vector<float> edges = edges_around(cell);
      edges_.insert(edges_.end(), edges.begin(), edges.end());
    }
    if (cells_.empty()) return;
    const auto edges = device.upload(edges_, "edges");
    const auto fields = device.allocate<float>(edges_.size(), "fields");
    const auto iterations = device.allocate<int>(cells_.size(), "iterations");
    device.launch("vector_flow",
                  {.grid = {static_cast<std::uint32_t>(cells_.size())}, .block = {kFlowThreads}},
                  edges, fields, iterations, direction_x_, direction_y_, kCutoff,
                  extent_.iterations);
    fields_ = device.download(fields);
    iterations_ = device.download(iterations);
  }

  CheckResult check() const override {
    CheckResult check;
    check_detection(check);
    check_flow(check);
    return check;
  }

  /// The cells that were found, and the part of their windows that edges have reached.
  std::optional<Picture> picture() const override {
    constexpr int kScale = 3;
    Picture picture{extent_.width * kScale, extent_.height * kScale, {}};
    for (int y = 0; y < picture.height; ++y) {
      for (int x = 0; x < picture.width; ++x) {
        const std::size_t i = place(x / kScale, y / kScale);
        const auto level = static_cast<std::uint32_t>(frame_.levels[i]);
        const auto flow = static_cast<std::uint32_t>(255 * flow_at(x / kScale, y / kScale));
        picture.pixels.push_back(rgb(std::min(level + flow, 255U), level, level));
      }
    }
    for (const Place& cell : cells_) {
      for (int i = -4; i <= 4; ++i) {
        picture.pixels[static_cast<std::size_t>((cell.y * kScale + 1) * picture.width +
                                                cell.x * kScale + 1 + i)] = rgb(255, 255, 0);
        picture.pixels[static_cast<std::size_t>((cell.y * kScale + 1 + i) * picture.width +
                                                cell.x * kScale + 1)] = rgb(255, 255, 0);
      }
    }
    return picture;
  }

 private:
  std::size_t place(int x, int y) const { return static_cast<std::size_t>(y * extent_.width + x); }
  int inner_width() const { return extent_.width - 2 * kMargin; }
  int inner_height() const { return extent_.height - 2 * kMargin; }

  /// Computes half of the difference between the two neighbours; the edge is repeated.
  void differentiate() {
    const auto level = [&](int x, int y) {
      return static_cast<float>(frame_.levels[place(std::clamp(x, 0, extent_.width - 1),
                                                    std::clamp(y, 0, extent_.height - 1))]);
    };
    gradient_.width = extent_.width;
    gradient_.height = extent_.height;
    for (int y = 0; y < extent_.height; ++y) {
      for (int x = 0; x < extent_.width; ++x) {
        gradient_.x.push_back((level(x + 1, y) - level(x - 1, y)) / 2);
        gradient_.y.push_back((level(x, y + 1) - level(x, y - 1)) / 2);
      }
    }
  }

  void write_tables(Gpu& device) const {
    std::vector<CirclePoint> points;
    for (int circle = 0; circle < extent_.circles; ++circle) {
      const int radius = leukocyte::circle_radius(circle);
      for (int i = 0; i < kPoints; ++i) {
        const double angle = 2 * std::numbers::pi * i / kPoints;
        const double x = std::cos(angle), y = std::sin(angle);
        points.push_back({static_cast<float>(x), static_cast<float>(y),
                          static_cast<int>(std::floor(radius * x + 0.5)),
                          static_cast<int>(std::floor(radius * y + 0.5))});
      }
    }
    device.write_symbol("circle_points", points);
    std::vector<std::uint8_t> disk;
    for (int y = -kDiskRadius; y <= kDiskRadius; ++y) {
      for (int x = -kDiskRadius; x <= kDiskRadius; ++x) {
        disk.push_back(x * x + y * y <= kDiskRadius * kDiskRadius ? 1 : 0);
      }
    }
    device.write_symbol("disk", disk);
  }

  void detect(Gpu& device) {
    write_tables(device);
    const TextureDescription description{.width = static_cast<std::uint32_t>(extent_.width),
                                         .height = static_cast<std::uint32_t>(extent_.height)};
    const auto gradient_x =
        device.create_texture(description, std::as_bytes(std::span(gradient_.x)));
    const auto gradient_y =
        device.create_texture(description, std::as_bytes(std::span(gradient_.y)));
    const auto pixels = static_cast<std::size_t>(inner_width() * inner_height());
    const auto scores = device.allocate<float>(pixels, "scores");
    const auto dilated = device.allocate<float>(pixels, "dilated scores");
    device.launch("cell_scores",
                  {.grid = {blocks_for(pixels, kScoreThreads)}, .block = {kScoreThreads}},
                  gradient_x, gradient_y, scores, inner_width(), inner_height(), extent_.circles);
    device.launch("dilate",
                  {.grid = {blocks_for(pixels, kDilateThreads)}, .block = {kDilateThreads}}, scores,
                  dilated, inner_width(), inner_height());
    scores_ = device.download(scores);
    dilated_ = device.download(dilated);
  }

  std::vector<Place> middles() const {
    std::vector<Place> middles;
    for (int y = 0; y < inner_height(); ++y) {
      for (int x = 0; x < inner_width(); ++x) {
        const auto pixel = static_cast<std::size_t>(y * inner_width() + x);
        if (scores_[pixel] == dilated_[pixel] && scores_[pixel] > kThreshold) {
          middles.push_back({x + kMargin, y + kMargin});
        }
      }
    }
    return middles;
  }

  /// The magnitude of the gradient in a cell's window, relative to its maximum there.
  std::vector<float> edges_around(Place cell) const {
    std::vector<float> edges;
    for (int row = 0; row < kWindowHeight; ++row) {
      for (int column = 0; column < kWindowWidth; ++column) {
        const int x = std::clamp(cell.x + column - kWindowWidth / 2, 0, extent_.width - 1);
        const int y = std::clamp(cell.y + row - kWindowHeight / 2, 0, extent_.height - 1);
        const float across = gradient_.x[place(x, y)], down = gradient_.y[place(x, y)];
        edges.push_back(std::sqrt(across * across + down * down));
      }
    }
    const float steepest = *std::max_element(edges.begin(), edges.end());
    for (float& edge : edges) edge /= steepest;
    return edges;
  }

  double flow_at(int x, int y) const {
    double flow = 0;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const int column = x - cells_[i].x + kWindowWidth / 2;
      const int row = y - cells_[i].y + kWindowHeight / 2;
      if (column < 0 || row < 0 || column >= kWindowWidth || row >= kWindowHeight) continue;
      const auto in_window = static_cast<std::size_t>(row * kWindowWidth + column);
      flow = std::max(flow, static_cast<double>(fields_[i * kWindowArea + in_window]));
    }
    return flow;
  }

  void check_detection(CheckResult& check) const {
    std::vector<double> got, want;
    const std::vector<leukocyte::Estimate> scores =
        leukocyte::scores_of(gradient_, extent_.circles);
    for (std::size_t i = 0; i < scores.size(); ++i) {
      got.push_back(static_cast<double>(scores_[i]) / scores[i].error);
      want.push_back(scores[i].value / scores[i].error);
    }
    check.close("score / its roundings", got, want,
                {.absolute = 0x1p-24, .reason = "roundings of 2^-24 in sums of 150 numbers"});
    check.close("dilated score", dilated_,
                leukocyte::dilation_of(scores_, inner_width(), inner_height()),
                {.reason = "one of the scores"});
    // All cells were found, and nothing else.
    check.exact("number of cells", static_cast<int>(cells_.size()),
                static_cast<int>(frame_.cells.size()));
    for (const Place& cell : frame_.cells) {
      int distance = extent_.width + extent_.height;
      for (const Place& found : cells_) {
        distance =
            std::min(distance, std::max(std::abs(found.x - cell.x), std::abs(found.y - cell.y)));
      }
      check.require(distance <= 3, "pixels from a cell to the nearest that was found",
                    std::to_string(distance), "at most 3");
    }
  }

  /// An iteration is monotonic and does not amplify: the weights of a cell and its neighbours are
  /// positive and add up to at most 1. Earlier errors therefore do not grow, and an iteration adds
  /// its own roundings of values up to 1: nine for each of the eight neighbours and eight in their
  /// sum, a tenth of which counts, and four more. The decision to stop depends on a mean that is
  /// off by at most twice as much.
  void check_flow(CheckResult& check) const {
    constexpr double kRoundings = 18 * 0x1p-24;
    std::vector<double> want;
    std::vector<int> want_iterations;
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const auto begin = edges_.begin() + static_cast<std::ptrdiff_t>(i * kWindowArea);
      const int iterations = std::clamp(iterations_[i], 1, extent_.iterations);
      const leukocyte::Flow flow = leukocyte::flow_of(
          {begin, begin + kWindowArea},
          {static_cast<double>(direction_x_), static_cast<double>(direction_y_)}, iterations);
      want.insert(want.end(), flow.field.begin(), flow.field.end());
      const double off = 2 * kRoundings * iterations;
      // Within `off`, floats may end at another iteration than double precision.
      const bool continues = std::ranges::all_of(
          flow.changes.begin(), flow.changes.end() - 1,
          [&](double change) { return change >= static_cast<double>(kCutoff) - off; });
      const bool ends = iterations == extent_.iterations ||
                        flow.changes.back() < static_cast<double>(kCutoff) + off;
      want_iterations.push_back(continues && ends ? iterations : 0);
    }
    check.exact("iterations", iterations_, want_iterations);
    check.close(
        "flow", fields_, want,
        {.absolute = kRoundings * extent_.iterations,
         .reason = "18 roundings of 2^-24 in an iteration, which later ones do not enlarge"});
  }

  Extent extent_;
  leukocyte::BloodFrame frame_;
  leukocyte::Gradient gradient_;
  float direction_x_ = 1, direction_y_ = 0;  ///< The direction in which cells move.
  std::vector<float> scores_, dilated_;
  std::vector<Place> cells_;
  std::vector<float> edges_, fields_;  ///< Window by window.
  std::vector<int> iterations_;
};

const Registration kRegistration({
    .name = "leukocyte",
    .summary = "White blood cells in a video: where they are, and fields that lead to their edges",
    .papers = {"preexec Table 2"},
    .kernels = {{"cell_scores", {kScoreThreads}},
                {"dilate", {kDilateThreads}},
                {"vector_flow", {kFlowThreads}}},
    .has_picture = true,
    .make = make_program<Leukocyte>,
});

}  // namespace
}  // namespace heddle::workload::leukocyte_host
