#include <utility>
#include <vector>

#include "facility_search.h"
#include "kernel.h"
#include "trial_check.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::streamcluster_host {
namespace {

using streamcluster::PointSet;
using streamcluster::Search;
using streamcluster::SearchLimits;
using streamcluster::Solution;
using streamcluster::Trial;
using streamcluster::WeightedPoint;

constexpr std::uint32_t kBlock = 512;

struct Extent {
  std::size_t chunks;  ///< The chunks of the stream.
  std::size_t points;  ///< The points in each chunk.
  std::size_t dimensions;
  SearchLimits limits;
};

Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {2, 330, 10, {2, 4, 5}};
    case Size::small:
      return {2, 1'300, 32, {3, 6, 9}};
    case Size::medium:
      return {2, 6'000, 32, {4, 8, 12}};
    case Size::large:
    case Size::paper:
      break;
  }
  return {3, 15'000, 64, {5, 10, 15}};
}

/// Points of clouds that move during the stream.
class Stream {
 public:
  Stream(const Extent& extent, Random& random) : random_(random) {
    for (std::size_t i = 0; i < extent.limits.max_centres; ++i) {
      std::vector<double> middle, speed;
      for (std::size_t d = 0; d < extent.dimensions; ++d) {
        middle.push_back(random.uniform(0, 10));
        speed.push_back(random.uniform(-1, 1) / static_cast<double>(extent.points));
      }
      clouds_.push_back({middle, speed, random.uniform(0.3, 1.5)});
    }
  }

  WeightedPoint next() {
    const Cloud& cloud = clouds_[random_.below(static_cast<std::uint32_t>(clouds_.size()))];
    WeightedPoint point;
    for (std::size_t d = 0; d < cloud.middle.size(); ++d) {
      const double middle = cloud.middle[d] + cloud.speed[d] * static_cast<double>(point_count_);
      point.at.push_back(static_cast<float>(middle + cloud.deviation * random_.normal()));
    }
    ++point_count_;
    return point;
  }

 private:
  struct Cloud {
    std::vector<double> middle, speed;
    double deviation;
  };

  Random& random_;
  std::vector<Cloud> clouds_;
  std::size_t point_count_ = 0;
};

/// The device's data for a set of points, and the trial of a candidate.
class TrialOnDevice {
 public:
  TrialOnDevice(Gpu& device, const PointSet& set)
      : device_(device),
        count_(set.count()),
        dimensions_(set.dimensions),
        coordinates_(device.upload(set.coordinates, "coordinates")),
        points_(device.allocate<StreamPoint>(count_, "points")),
        columns_(device.allocate<std::int32_t>(count_, "column_of_centre")),
        switches_(device.allocate<std::uint8_t>(count_, "switches")) {}

  Trial operator()(const Solution& solution, std::int32_t candidate) {
    const std::size_t centres = solution.centres.size();
    std::vector<std::int32_t> columns(count_, 0);
    for (std::size_t c = 0; c < centres; ++c) {
      columns[static_cast<std::size_t>(solution.centres[c])] = static_cast<std::int32_t>(c);
    }
    const std::size_t width = centres + 1;
    // Memory is never freed: the largest table so far serves smaller ones.
    if (saved_.count < count_ * width) saved_ = device_.allocate<float>(count_ * width, "saved");
    const Array<float> saved{saved_.address, count_ * width};
    device_.write(points_, solution.points);
    device_.write(columns_, columns);
    device_.fill(switches_, 0);
    device_.fill(saved, 0);
    const auto blocks = static_cast<std::uint32_t>((count_ + kBlock - 1) / kBlock);
    device_.launch(
        "try_candidate",
        {.grid = {blocks},
         .block = {kBlock},
         .dynamic_shared_bytes = static_cast<std::uint32_t>(dimensions_ * sizeof(float))},
        points_, coordinates_, columns_, static_cast<int>(count_), static_cast<int>(dimensions_),
        candidate, static_cast<int>(centres), saved, switches_);
    Trial trial{.candidate = candidate,
                .switches = device_.download(switches_),
                .saved = std::vector<double>(width, 0)};
    const std::vector<float> rows = device_.download(saved);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      trial.saved[i % width] += static_cast<double>(rows[i]);
    }
    return trial;
  }

 private:
  Gpu& device_;
  std::size_t count_, dimensions_;
  Array<float> coordinates_;
  Array<StreamPoint> points_;
  Array<std::int32_t> columns_;
  Array<std::uint8_t> switches_;
  Array<float> saved_{};
};

class Streamcluster final : public HostProgram {
 public:
  Streamcluster(Size size, std::uint64_t seed) : limits_(extent_of(size).limits), seed_(seed) {
    const Extent extent = extent_of(size);
    Random random(seed);
    Stream stream(extent, random);
    chunks_.resize(extent.chunks);
    for (auto& chunk : chunks_) {
      for (std::size_t i = 0; i < extent.points; ++i) chunk.push_back(stream.next());
    }
  }

  /// Keeps only the centres of each chunk, with the weight of the points that they serve, and
  /// clusters these at the end.
  void run(Gpu& device) override {
    Random random(seed_ + 1);
    searches_.clear();
    std::vector<WeightedPoint> kept;
    for (const auto& chunk : chunks_) {
      const Search& search = search_among(chunk, random, device);
      std::vector<std::size_t> place(chunk.size(), 0);
      for (const std::int32_t centre : search.stages.back().solution.centres) {
        place[static_cast<std::size_t>(centre)] = kept.size();
        kept.push_back({.at = chunk[static_cast<std::size_t>(centre)].at, .weight = 0});
      }
      for (const StreamPoint& point : search.stages.back().solution.points) {
        kept[place[static_cast<std::size_t>(point.centre)]].weight += point.weight;
      }
    }
    search_among(kept, random, device);
  }

  CheckResult check() const override {
    CheckResult check;
    check_trials(searches_, check);
    return check;
  }

 private:
  const Search& search_among(const std::vector<WeightedPoint>& points, Random& random,
                             Gpu& device) {
    Search& search = searches_.emplace_back(Search{.points = PointSet(points), .stages = {}});
    search.stages =
        streamcluster::search(search.points, limits_, random, TrialOnDevice(device, search.points));
    return search;
  }

  SearchLimits limits_;
  std::uint64_t seed_;
  std::vector<std::vector<WeightedPoint>> chunks_;
  std::vector<Search> searches_;
};

const Registration kRegistration({
    .name = "streamcluster",
    .summary = "Clusters of a stream of points: which of them are worth being centres",
    .papers = {"simt Chapter 5"},
    .kernels = {{"try_candidate", {kBlock}}},
    .make = make_program<Streamcluster>,
});

}  // namespace
}  // namespace heddle::workload::streamcluster_host
