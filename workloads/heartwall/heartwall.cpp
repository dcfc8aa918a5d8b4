#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "base/colour.h"
#include "heartwall_sequence.h"
#include "kernel.h"
#include "workload/workload.h"

namespace heddle::workload::heartwall_host {
namespace {

using heartwall::Place;
using heartwall::Sequence;

struct Extent {
  int width, height;
  int inner, outer;  ///< Points on each wall.
  int frames;        ///< Without the first.
  int template_radius = kTemplateRadius;
  std::uint32_t cut_threads = kCutThreads;

  std::size_t template_area() const {
    const auto side = static_cast<std::size_t>(2 * template_radius + 1);
    return side * side;
  }
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {118, 102, 1, 1, 2};
    case Size::small:
      return {230, 200, 8, 12, 4};
    case Size::medium:
      return {320, 280, 20, 31, 12};
    case Size::large:
      return {420, 370, 20, 31, 104};
    case Size::paper:
      // simt Table 3: (512, 1), blocks of 512 threads and one frame, which leaves nothing to track.
      return {420, 370, 20, 31, 0, kRodiniaTemplateRadius, kRodiniaThreads};
  }
  return {};
}

class Heartwall final : public HostProgram {
 public:
  Heartwall(Size size, std::uint64_t seed)
      : extent_(extent_of(size)), sequence_(extent_.width, extent_.height, seed) {
    for (int i = 0; i <= extent_.frames; ++i) frames_.push_back(sequence_.frame(i));
    for (const bool outer : {false, true}) {
      for (const Place& place : sequence_.wall(outer ? extent_.outer : extent_.inner, outer)) {
        start_.push_back({static_cast<int>(place.x + 0.5), static_cast<int>(place.y + 0.5)});
      }
    }
  }

  void run(Gpu& device) override {
    const auto count = static_cast<std::uint32_t>(start_.size());
    const auto frame = device.upload(frames_[0], "frame");
    // The positions of the points, frame by frame.
    const auto points = device.allocate<Point>(count * frames_.size(), "points");
    device.write(points, start_);
    const auto templates = device.allocate<int>(count * extent_.template_area(), "templates");
    const auto likeness = device.allocate<float>(count * frames_.size(), "likeness");
    device.fill(likeness, 0);
    device.launch("heartwall_cut", {.grid = {count}, .block = {extent_.cut_threads}}, frame,
                  extent_.width, extent_.height, points, templates, extent_.template_radius);
    for (std::size_t i = 1; i < frames_.size(); ++i) {
      device.write(frame, frames_[i]);
      device.launch("heartwall_track", {.grid = {count}, .block = {kTrackThreads}}, frame,
                    extent_.width, extent_.height, points.from((i - 1) * count),
                    points.from(i * count), templates, likeness.from(i * count));
    }
    points_ = device.download(points);
    templates_ = device.download(templates);
    likeness_ = device.download(likeness);
  }

  CheckResult check() const override {
    std::vector<int> columns, rows, want_columns, want_rows, want_templates;
    for (const Point& point : points_) {
      columns.push_back(point.x);
      rows.push_back(point.y);
    }
    std::vector<float> want_likeness;
    std::vector<Tracker> trackers;
    for (const Point& point : start_) trackers.push_back(cut(point));
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      for (Tracker& tracker : trackers) {
        if (i > 0) follow(tracker, frames_[i]);
        want_columns.push_back(tracker.point.x);
        want_rows.push_back(tracker.point.y);
        want_likeness.push_back(tracker.likeness);
      }
    }
    for (const Tracker& tracker : trackers) {
      want_templates.insert(want_templates.end(), tracker.levels.begin(), tracker.levels.end());
    }
    CheckResult check;
    check.exact("points' columns", columns, want_columns);
    check.exact("points' rows", rows, want_rows);
    check.exact("last templates", templates_, want_templates);
    check.close("likeness", likeness_, want_likeness,
                {.reason = "integers, then an IEEE root and an IEEE division"});
    const double astray = mean_distance_from_tissue();
    check.require(astray < 1.0, "points' mean distance from their tissue, in pixels",
                  std::to_string(astray), "below 1");
    return check;
  }

  /// The last frame with the points and their paths.
  std::optional<Picture> picture() const override {
    const int scale = (880 + extent_.width) / extent_.width;
    Picture result{extent_.width * scale, extent_.height * scale, {}};
    for (int y = 0; y < result.height; ++y) {
      for (int x = 0; x < result.width; ++x) {
        result.pixels.push_back(grey(frames_.back()[index(x / scale, y / scale)] / 255.0));
      }
    }
    const auto dot = [&](const Point& point, int across, int down, std::uint32_t colour) {
      const int x = point.x * scale + scale / 2 + across, y = point.y * scale + scale / 2 + down;
      if (x < 0 || y < 0 || x >= result.width || y >= result.height) return;
      result.pixels[static_cast<std::size_t>(y * result.width + x)] = colour;
    };
    const std::size_t count = start_.size();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const bool inner = i % count < static_cast<std::size_t>(extent_.inner);
      if (i + count < points_.size()) {
        dot(points_[i], 0, 0, inner ? rgb(220, 170, 20) : rgb(230, 60, 40));
        continue;
      }
      const std::uint32_t colour = inner ? rgb(255, 220, 40) : rgb(255, 80, 60);
      // Draws a cross with a dark rim.
      for (const int rim : {1, 0}) {
        for (int along = -4 - rim; along <= 4 + rim; ++along) {
          for (int beside = -1 - rim; beside <= rim; ++beside) {
            dot(points_[i], along, beside, rim == 1 ? rgb(0, 0, 0) : colour);
            dot(points_[i], beside, along, rim == 1 ? rgb(0, 0, 0) : colour);
          }
        }
      }
    }
    return result;
  }

 private:
  struct Tracker {
    Point point;
    std::vector<int> levels;
    float likeness = 0;
  };

  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(std::clamp(y, 0, extent_.height - 1) * extent_.width +
                                    std::clamp(x, 0, extent_.width - 1));
  }

  /// The levels of a template's square around a point.
  std::vector<int> square(const std::vector<std::uint8_t>& frame, Point point) const {
    const int radius = extent_.template_radius;
    std::vector<int> levels;
    for (int y = -radius; y <= radius; ++y) {
      for (int x = -radius; x <= radius; ++x) {
        levels.push_back(frame[index(point.x + x, point.y + y)] - kMiddleGrey);
      }
    }
    return levels;
  }

  Tracker cut(Point point) const { return {point, square(frames_[0], point), 0}; }

  /// Moves the point to the place where the deviations of the levels from their mean correlate best
  /// with the template's.
  void follow(Tracker& tracker, const std::vector<std::uint8_t>& frame) const {
    float best_score = std::numeric_limits<float>::lowest();
    Point best{tracker.point.x - kReach, tracker.point.y - kReach};
    for (int y = -kReach; y <= kReach; ++y) {
      for (int x = -kReach; x <= kReach; ++x) {
        const Point place{tracker.point.x + x, tracker.point.y + y};
        const std::vector<int> levels = square(frame, place);
        std::int64_t sum = 0;
        for (const int level : levels) sum += level;
        // Deviations times kTemplateArea are integers.
        std::int64_t variance = 0, covariance = 0;
        for (std::size_t i = 0; i < levels.size(); ++i) {
          const std::int64_t deviation = kTemplateArea * levels[i] - sum;
          variance += deviation * deviation;
          covariance += deviation * tracker.levels[i];
        }
        variance /= kTemplateArea;
        if (variance == 0) continue;
        // Conversion, root and division are correctly rounded on a GPU and on the host.
        const float score =
            static_cast<float>(covariance) / std::sqrt(static_cast<float>(variance));
        if (score > best_score) {
          best_score = score;
          best = place;
        }
      }
    }
    tracker.point = best;
    tracker.likeness = best_score;
    const std::vector<int> levels = square(frame, best);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const int eighths = kKeptEighths * tracker.levels[i] + (8 - kKeptEighths) * levels[i];
      tracker.levels[i] = static_cast<int>(std::floor(eighths / 8.0 + 0.5));
    }
  }

  double mean_distance_from_tissue() const {
    double sum = 0;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& start = start_[i % start_.size()];
      const Place tissue =
          sequence_.moved({static_cast<double>(start.x), static_cast<double>(start.y)},
                          static_cast<int>(i / start_.size()));
      const double dx = points_[i].x - tissue.x, dy = points_[i].y - tissue.y;
      sum += std::sqrt(dx * dx + dy * dy);
    }
    return sum / static_cast<double>(points_.size());
  }

  Extent extent_;
  Sequence sequence_;
  std::vector<std::vector<std::uint8_t>> frames_;
  std::vector<Point> start_;
  std::vector<Point> points_;  ///< Those of frame 0, of frame 1 and so on.
  std::vector<int> templates_;
  std::vector<float> likeness_;  ///< Scores of the chosen places; none for frame 0.
};

const Registration kRegistration({
    .name = "heartwall",
    .summary = "Tracking of a heart's walls through an ultrasound recording",
    .papers = {"simt Table 3"},
    .kernels = {{"heartwall_cut", {kCutThreads}}, {"heartwall_track", {kTrackThreads}}},
    .has_paper_size = true,
    .has_picture = true,
    .make = make_program<Heartwall>,
});

}  // namespace
}  // namespace heddle::workload::heartwall_host
