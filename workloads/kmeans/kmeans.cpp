#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/colour.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::kmeans_host {
namespace {

using kmeans::kBlock;
using kmeans::kResidentBlock;

struct Shape {
  std::size_t points;
  std::size_t features;
  std::size_t centres;
  std::size_t max_steps;
};

Shape shape_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {900, 6, 5, 3};
    case Size::small:
      return {5'000, 10, 8, 6};
    case Size::medium:
      return {20'000, 14, 10, 7};
    case Size::large:
    case Size::paper:
      return {150'000, 18, 12, 6};
  }
  return {};
}

/// The number of places at which the two differ.
std::int32_t count_different(const std::vector<std::int32_t>& one,
                             const std::vector<std::int32_t>& other) {
  return std::inner_product(one.begin(), one.end(), other.begin(), 0, std::plus<>(),
                            std::not_equal_to<>());
}

/// The inputs and results of the device in one step.
struct Step {
  std::vector<float> centres;
  std::vector<std::int32_t> membership;
  std::vector<float> distance;
  std::int32_t moved = 0;
};

/// How a point finds its nearest centre: it gives up a centre that is farther than the nearest so
/// far, or it adds up all features.
enum class Search : std::uint8_t { gives_up, all_features };

class Kmeans final : public HostProgram {
 public:
  Kmeans(GridChoice grid, Search search, Size size, std::uint64_t seed)
      : grid_(grid), search_(search), shape_(shape_of(size)) {
    Random random(seed);
    make_points(random);
    for (std::size_t c = 0; c < shape_.centres; ++c) {
      const auto count = static_cast<std::uint32_t>(shape_.points);
      const float* point = &points_[random.below(count) * shape_.features];
      first_centres_.insert(first_centres_.end(), point, point + shape_.features);
    }
  }

  void run(Gpu& device) override {
    steps_.clear();
    const auto count = static_cast<int>(shape_.points);
    const auto features = static_cast<int>(shape_.features);
    const auto centre_count = static_cast<int>(shape_.centres);
    const auto by_point = device.upload(points_, "by_point");
    const auto by_feature = device.allocate<float>(points_.size(), "by_feature");
    const auto membership = device.allocate<std::int32_t>(shape_.points, "membership");
    const auto distance = device.allocate<float>(shape_.points, "distance");
    const auto moved =
        counts_on_device() ? device.allocate<std::int32_t>(1, "moved") : Array<std::int32_t>{};
    const bool is_resident = grid_ == GridChoice::resident;
    const auto device_centres =
        is_resident ? device.allocate<float>(first_centres_.size(), "centres") : Array<float>{};
    const std::string_view sort = is_resident ? "sort_by_feature_resident" : "sort_by_feature";
    const std::string_view assign = assigning_kernel();
    const LaunchShape shape = shape_on(device, assign);
    device.launch(sort, shape_on(device, sort), by_point, by_feature, count, features);
    device.fill(membership, 0xff);  // All bytes 0xff make -1, which stands for no centre.
    std::vector<float> centres = first_centres_;
    do {
      if (counts_on_device()) device.fill(moved, 0);
      if (is_resident) {
        device.write(device_centres, centres);
        device.launch(assign, shape, by_feature, device_centres, count, features, centre_count,
                      membership, distance, moved);
      } else {
        device.write_symbol("centres", centres);
        if (counts_on_device()) {
          device.launch(assign, shape, by_feature, count, features, centre_count, membership,
                        distance, moved);
        } else {
          device.launch(assign, shape, by_feature, count, features, centre_count, membership,
                        distance);
        }
      }
      Step step{.centres = centres,
                .membership = device.download(membership),
                .distance = device.download(distance)};
      step.moved = counts_on_device() ? device.download_one(moved) : count_moved(step.membership);
      steps_.push_back(std::move(step));
      centres = means_of(steps_.back());
      // Stops when less than one point in a thousand moves.
    } while (steps_.size() < shape_.max_steps && steps_.back().moved * 1000 >= count);
  }

  // Every step is checked on its own, with the device's centres, so that one point midway between
  // two centres does not affect later steps.
  CheckResult check() const override {
    CheckResult check;
    std::vector<float> got;
    std::vector<double> to_nearest;
    std::vector<double> to_chosen;
    std::vector<std::int32_t> moved_got;
    std::vector<std::int32_t> moved_want;
    std::vector<std::int32_t> before(shape_.points, -1);
    std::vector<double> distances(shape_.centres);
    double sum_before = std::numeric_limits<double>::infinity();
    for (const Step& step : steps_) {
      for (std::size_t i = 0; i < shape_.points; ++i) {
        got.push_back(step.distance[i]);
        for (std::size_t c = 0; c < shape_.centres; ++c) distances[c] = distance_of(i, step, c);
        to_nearest.push_back(*std::min_element(distances.begin(), distances.end()));
        const auto chosen = static_cast<std::uint32_t>(step.membership[i]);
        to_chosen.push_back(chosen < shape_.centres ? distances[chosen] : -1);
      }
      moved_got.push_back(step.moved);
      moved_want.push_back(count_different(before, step.membership));
      before = step.membership;
      // Lloyd's theorem for centres that are means: the sum of distances falls.
      const auto points = static_cast<std::ptrdiff_t>(shape_.points);
      const double sum = std::accumulate(to_nearest.end() - points, to_nearest.end(), 0.0);
      check.require(sum < sum_before, "sum of the distances", fmt::format("{}", sum),
                    fmt::format("less than {}", sum_before));
      sum_before = sum;
    }
    // The device's choice is the nearest centre in floats, so its distance is close to that of the
    // nearest centre and to that of the chosen centre.
    const Bound bound{.relative = static_cast<double>(shape_.features + 2) * 0x1p-24,
                      .reason = "a rounding of 2^-24 a feature, two for a squared difference"};
    check.close("distances, to the nearest centre", got, to_nearest, bound);
    check.close("distances, to the chosen centre", got, to_chosen, bound);
    if (counts_on_device()) check.exact("points moved", moved_got, moved_want);
    return check;
  }

  std::optional<Picture> picture() const override;

 private:
  /// Whether the kernel counts the points that move, and not the host.
  bool counts_on_device() const { return search_ == Search::gives_up; }

  std::string_view assigning_kernel() const {
    if (search_ == Search::all_features) return "assign_points_fully";
    return grid_ == GridChoice::resident ? "assign_points_resident" : "assign_points";
  }

  std::int32_t count_moved(const std::vector<std::int32_t>& membership) const {
    return steps_.empty() ? static_cast<std::int32_t>(shape_.points)
                          : count_different(steps_.back().membership, membership);
  }

  LaunchShape shape_on(Gpu& device, std::string_view kernel) const {
    if (grid_ == GridChoice::resident) {
      return device.resident_shape(kernel, kResidentBlock, shape_.points);
    }
    const auto points = static_cast<std::uint32_t>(shape_.points);
    return {.grid = {(points + kBlock - 1) / kBlock}, .block = {kBlock}};
  }

  /// Clouds of points, some wide, some narrow. There are more clouds than centres, so the result is
  /// not obvious.
  void make_points(Random& random) {
    const std::size_t clouds = shape_.centres * 3 / 2;
    std::vector<double> middles(clouds * shape_.features);
    for (double& middle : middles) middle = random.uniform(0, 10);
    std::vector<double> deviations(clouds);
    for (double& deviation : deviations) deviation = random.uniform(0.4, 1.6);
    points_.reserve(shape_.points * shape_.features);
    for (std::size_t i = 0; i < shape_.points; ++i) {
      const std::size_t cloud = random.below(static_cast<std::uint32_t>(clouds));
      for (std::size_t f = 0; f < shape_.features; ++f) {
        points_.push_back(static_cast<float>(middles[cloud * shape_.features + f] +
                                             deviations[cloud] * random.normal()));
      }
    }
  }

  /// The mean of the points that chose each centre; a centre without points stays.
  std::vector<float> means_of(const Step& step) const {
    std::vector<double> sums(step.centres.size(), 0);
    std::vector<std::size_t> members(shape_.centres, 0);
    for (std::size_t i = 0; i < shape_.points; ++i) {
      const auto c = static_cast<std::uint32_t>(step.membership[i]);
      if (c >= shape_.centres) continue;  // Not a centre; check() reports it.
      ++members[c];
      for (std::size_t f = 0; f < shape_.features; ++f) {
        sums[c * shape_.features + f] += static_cast<double>(points_[i * shape_.features + f]);
      }
    }
    std::vector<float> means = step.centres;
    for (std::size_t i = 0; i < means.size(); ++i) {
      const std::size_t count = members[i / shape_.features];
      if (count > 0) means[i] = static_cast<float>(sums[i] / static_cast<double>(count));
    }
    return means;
  }

  /// The squared distance of a point from a centre.
  double distance_of(std::size_t point, const Step& step, std::size_t centre) const {
    double sum = 0;
    for (std::size_t f = 0; f < shape_.features; ++f) {
      const double difference = static_cast<double>(points_[point * shape_.features + f]) -
                                static_cast<double>(step.centres[centre * shape_.features + f]);
      sum += difference * difference;
    }
    return sum;
  }

  GridChoice grid_;
  Search search_;
  Shape shape_;
  std::vector<float> points_;  ///< Point by point.
  std::vector<float> first_centres_;
  std::vector<Step> steps_;
};

/// Draws the first two features of all points. A point has the colour of its centre; centres are
/// crosses.
std::optional<Picture> Kmeans::picture() const {
  constexpr int kSide = 640;
  constexpr std::array kColours{
      rgb(230, 80, 70),   rgb(70, 150, 240),  rgb(90, 200, 90),   rgb(240, 190, 60),
      rgb(180, 100, 230), rgb(60, 205, 200),  rgb(245, 140, 190), rgb(170, 130, 90),
      rgb(160, 190, 70),  rgb(130, 130, 250), rgb(240, 130, 50),  rgb(170, 175, 185),
  };
  Picture picture{.width = kSide, .height = kSide, .pixels = {}};
  picture.pixels.assign(std::size_t{kSide} * kSide, rgb(20, 22, 28));
  const auto place = [](float feature) { return static_cast<int>((feature + 2) / 14 * kSide); };
  const auto dot = [&](int column, int row, std::uint32_t colour) {
    if (column < 0 || column >= kSide || row < 0 || row >= kSide) return;
    picture.pixels[static_cast<std::size_t>(row * kSide + column)] = colour;
  };
  const Step& last = steps_.back();
  // More points would hide one another.
  const std::size_t shown = std::min<std::size_t>(shape_.points, 20'000);
  const int dot_side = shown < 10'000 ? 3 : 2;
  for (std::size_t i = 0; i < shown; ++i) {
    const float* point = &points_[i * shape_.features];
    const auto centre = static_cast<std::size_t>(last.membership[i]);
    const std::uint32_t colour = kColours[centre % kColours.size()];
    const int column = place(point[0]);
    const int row = kSide - 1 - place(point[1]);
    for (int x = 0; x < dot_side; ++x) {
      for (int y = 0; y < dot_side; ++y) dot(column + x, row + y, colour);
    }
  }
  for (std::size_t c = 0; c < shape_.centres; ++c) {
    const float* centre = &last.centres[c * shape_.features];
    const int column = place(centre[0]);
    const int row = kSide - 1 - place(centre[1]);
    // A white cross with a black rim.
    const auto cross = [&](int length, int width, std::uint32_t colour) {
      for (int along = -length; along <= length; ++along) {
        for (int across = -width; across <= width; ++across) {
          dot(column + along, row + across, colour);
          dot(column + across, row + along, colour);
        }
      }
    };
    cross(9, 3, grey(0));
    cross(7, 1, grey(1));
  }
  return picture;
}

template <GridChoice grid, Search search>
std::unique_ptr<HostProgram> make_kmeans(Size size, std::uint64_t seed) {
  return std::make_unique<Kmeans>(grid, search, size, seed);
}

const Registration kRegistration({
    .name = "kmeans",
    .summary = "Points in clusters, each with the nearest of some centres",
    .papers = {"large-warps Table 2"},
    .kernels = {{"sort_by_feature", {kBlock}}, {"assign_points", {kBlock}}},
    .has_picture = true,
    .make = make_kmeans<GridChoice::input, Search::gives_up>,
    .resident = ResidentForm{.kernels = {{"sort_by_feature_resident", {kResidentBlock}},
                                         {"assign_points_resident", {kResidentBlock}}},
                             .make = make_kmeans<GridChoice::resident, Search::gives_up>},
});

const Registration kAllFeatures({
    .name = "kmeans-all-features",
    .folder = "kmeans",
    .summary = "kmeans without giving up centres: no branch depends on the points",
    .papers = {"preexec Table 2"},
    .kernels = {{"sort_by_feature", {kBlock}}, {"assign_points_fully", {kBlock}}},
    .has_picture = true,
    .make = make_kmeans<GridChoice::input, Search::all_features>,
});

}  // namespace
}  // namespace heddle::workload::kmeans_host
