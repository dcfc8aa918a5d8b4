#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::nearest_neighbour_host {
namespace {

constexpr std::uint32_t kBlock = 256;
constexpr std::size_t kNearest = 10;

struct Extent {
  std::size_t places, queries;
};

/// Sizes that are not multiples of the block.
Extent extent_of(Size size) {
  switch (size) {
    case Size::tiny:
      return {5'000, 3};
    case Size::small:
      return {42'764, 37};
    case Size::medium:
      return {333'333, 22};
    case Size::large:
    case Size::paper:
      break;
  }
  return {1'500'000, 40};
}

/// The places of storms, every six hours: each storm begins in the tropics, drifts west, and turns
/// north and then east.
std::vector<Place> storm_tracks(std::size_t count, Random& random) {
  std::vector<Place> places;
  places.reserve(count);
  while (places.size() < count) {
    double latitude = random.uniform(8, 20), longitude = random.uniform(-60, -15);
    double westwards = random.uniform(0.8, 1.6);
    const std::uint32_t hours = 6 * (8 + random.below(50));
    for (std::uint32_t hour = 0; hour < hours && places.size() < count; hour += 6) {
      places.push_back({static_cast<float>(latitude), static_cast<float>(longitude)});
      latitude += 0.03 * latitude * random.uniform(0.2, 1.2);
      longitude -= westwards + random.uniform(-0.3, 0.3);
      westwards -= 0.002 * latitude * random.uniform(0.5, 1.5);
      if (latitude > 65) break;
    }
  }
  return places;
}

class NearestNeighbour final : public HostProgram {
 public:
  NearestNeighbour(Size size, std::uint64_t seed) {
    Random random(seed);
    const auto [places, queries] = extent_of(size);
    places_ = storm_tracks(places, random);
    for (std::size_t i = 0; i < queries; ++i) {
      queries_.push_back({random.uniform_float(10, 45), random.uniform_float(-100, -20)});
    }
  }

  void run(Gpu& device) override {
    const Array<Place> places = device.upload(places_, "places");
    const Array<float> distances = device.allocate<float>(places_.size(), "distances");
    const LaunchShape shape{
        .grid = {static_cast<std::uint32_t>((places_.size() + kBlock - 1) / kBlock)},
        .block = {kBlock}};
    results_.clear();
    for (const Place& from : queries_) {
      device.launch("distances_to", shape, places, distances, static_cast<int>(places_.size()),
                    from);
      QueryResult result{.distances = device.download(distances)};
      result.nearest = nearest_of(result.distances);
      results_.push_back(std::move(result));
    }
  }

  /// If places are equally far except for the last bits, either may be found. The check therefore
  /// compares the distances of the places found with the least ones of all.
  CheckResult check() const override {
    std::vector<float> got;
    std::vector<double> want, got_nearest, want_nearest;
    bool has_duplicate = false;
    for (std::size_t query = 0; query < results_.size(); ++query) {
      const QueryResult& result = results_[query];
      std::vector<double> distances = distances_to(queries_[query]);
      got.insert(got.end(), result.distances.begin(), result.distances.end());
      want.insert(want.end(), distances.begin(), distances.end());

      for (const std::size_t place : result.nearest) got_nearest.push_back(distances[place]);
      std::vector<std::size_t> found = result.nearest;
      std::sort(found.begin(), found.end());
      has_duplicate =
          has_duplicate || std::adjacent_find(found.begin(), found.end()) != found.end();
      const auto rest = distances.begin() + kNearest;
      std::partial_sort(distances.begin(), rest, distances.end());
      want_nearest.insert(want_nearest.end(), distances.begin(), rest);
    }
    CheckResult check;
    check.close("distances", got, want,
                {.relative = 3 * 0x1p-24,
                 .reason = "roundings of 2^-24: of a difference, half of a square's and of the "
                           "sum's, and of the root"});
    check.close("distances of the nearest", got_nearest, want_nearest,
                {.relative = 6 * 0x1p-24,
                 .reason = "the roundings of its own distance and of the distance that it beat"});
    check.require(!has_duplicate, "the nearest places", "one of them twice", "each of them once");
    return check;
  }

 private:
  struct QueryResult {
    std::vector<float> distances;
    std::vector<std::size_t> nearest{};  ///< The nearest first.
  };

  std::vector<double> distances_to(const Place& from) const {
    std::vector<double> distances;
    distances.reserve(places_.size());
    for (const Place& place : places_) {
      const double north = static_cast<double>(place.latitude) - static_cast<double>(from.latitude);
      const double east =
          static_cast<double>(place.longitude) - static_cast<double>(from.longitude);
      distances.push_back(std::hypot(north, east));
    }
    return distances;
  }

  /// Keeps a short list and scans the distances once, because the list is far shorter.
  static std::vector<std::size_t> nearest_of(const std::vector<float>& distances) {
    std::vector<std::size_t> nearest;
    const auto nearer = [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; };
    for (std::size_t i = 0; i < distances.size(); ++i) {
      if (nearest.size() == kNearest) {
        if (!nearer(i, nearest.back())) continue;
        nearest.pop_back();
      }
      nearest.insert(std::upper_bound(nearest.begin(), nearest.end(), i, nearer), i);
    }
    return nearest;
  }

  std::vector<Place> places_, queries_;
  std::vector<QueryResult> results_;
};

const Registration kRegistration({
    .name = "nearest-neighbour",
    .summary = "Which places are nearest to one, of a long list of storms' tracks",
    .papers = {"simt Section 5.5"},
    .kernels = {{"distances_to", {kBlock}}},
    .make = make_program<NearestNeighbour>,
});

}  // namespace
}  // namespace heddle::workload::nearest_neighbour_host
