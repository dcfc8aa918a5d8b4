#include "facility_search.h"

#include <utility>

namespace heddle::workload::streamcluster {
namespace {

constexpr int kMaxPasses = 16;
/// The price does not change while each pass reduces the cost by more than this share.
constexpr double kMinGainOfPass = 0.1;

class FacilitySearch {
 public:
  FacilitySearch(const PointSet& points, Random& random, const TryCandidate& try_candidate)
      : points_(points), random_(random), try_candidate_(try_candidate) {
    start_with_one();
  }

  std::vector<Stage> run(const SearchLimits& limits) {
    double low = 0, high = cost_of_points(), price = high / 2;
    open_by_chance(price);
    for (int pass = 0; pass < kMaxPasses; ++pass) {
      const double before = cost_of_points() + price * static_cast<double>(centres());
      double gained = 0;
      for (std::size_t i = 0; i < limits.candidates_per_pass; ++i) gained += try_one(price);
      const bool too_many = centres() > limits.max_centres;
      const bool too_few = centres() < limits.min_centres;
      if (gained > kMinGainOfPass * before) continue;
      if (!too_many && !too_few) break;
      (too_many ? low : high) = price;
      price = (low + high) / 2;
    }
    return std::move(stages_);
  }

 private:
  Solution& solution() { return stages_.back().solution; }
  std::size_t centres() { return solution().centres.size(); }

  double cost_of_points() {
    double sum = 0;
    for (const StreamPoint& point : solution().points) sum += static_cast<double>(point.cost);
    return sum;
  }

  void start_with_one() {
    stages_.emplace_back();
    solution().centres = {0};
    for (std::size_t i = 0; i < points_.count(); ++i) {
      solution().points.push_back(
          {.weight = points_.weights[i], .centre = 0, .cost = points_.cost(i, 0)});
    }
  }

  /// Opens points at random, with a probability that grows with their cost.
  void open_by_chance(double price) {
    for (std::size_t i = 0; i < points_.count(); ++i) {
      if (random_.uniform() * price >= static_cast<double>(solution().points[i].cost)) continue;
      solution().centres.push_back(static_cast<std::int32_t>(i));
      for (std::size_t j = 0; j < points_.count(); ++j) {
        const float cost = points_.cost(j, i);
        StreamPoint& point = solution().points[j];
        if (j == i || cost < point.cost) {
          point.centre = static_cast<std::int32_t>(i);
          point.cost = cost;
        }
      }
    }
  }

  /// Returns the gain of a new centre, or 0 if it is not worth its price.
  double try_one(double price) {
    const auto candidate =
        static_cast<std::int32_t>(random_.below(static_cast<std::uint32_t>(points_.count())));
    Trial trial = try_candidate_(solution(), candidate);
    double gain = trial.saved.back() - price;
    std::vector<bool> closes(points_.count(), false);
    for (std::size_t c = 0; c < centres(); ++c) {
      const double by_closing = price + trial.saved[c];
      if (by_closing <= 0) continue;
      closes[static_cast<std::size_t>(solution().centres[c])] = true;
      gain += by_closing;
    }
    stages_.back().trials.push_back(std::move(trial));
    if (gain <= 0) return 0;
    open(candidate, stages_.back().trials.back().switches, closes);
    return gain;
  }

  void open(std::int32_t candidate, const std::vector<std::uint8_t>& switches,
            const std::vector<bool>& closes) {
    Solution next{.points = solution().points, .centres = {}};
    for (const std::int32_t centre : solution().centres) {
      if (!closes[static_cast<std::size_t>(centre)]) next.centres.push_back(centre);
    }
    next.centres.push_back(candidate);
    for (std::size_t i = 0; i < next.points.size(); ++i) {
      StreamPoint& point = next.points[i];
      if (switches[i] == 0 && !closes[static_cast<std::size_t>(point.centre)]) continue;
      point.centre = candidate;
      point.cost = points_.cost(i, static_cast<std::size_t>(candidate));
    }
    stages_.push_back({.solution = std::move(next), .trials = {}});
  }

  const PointSet& points_;
  Random& random_;
  const TryCandidate& try_candidate_;
  std::vector<Stage> stages_;
};

}  // namespace

PointSet::PointSet(const std::vector<WeightedPoint>& points)
    : dimensions(points.front().at.size()) {
  for (std::size_t d = 0; d < dimensions; ++d) {
    for (const WeightedPoint& point : points) coordinates.push_back(point.at[d]);
  }
  for (const WeightedPoint& point : points) weights.push_back(point.weight);
}

float PointSet::cost(std::size_t point, std::size_t other) const {
  float square = 0;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const float difference = coordinate(point, d) - coordinate(other, d);
    square += difference * difference;
  }
  return weights[point] * square;
}

std::vector<Stage> search(const PointSet& points, const SearchLimits& limits, Random& random,
                          const TryCandidate& try_candidate) {
  return FacilitySearch(points, random, try_candidate).run(limits);
}

}  // namespace heddle::workload::streamcluster
