#pragma once

// The k-median of points by local search over the facilities to open. Every open facility has a
// price, and every point costs its distance from the facility that serves it.

#include <cstdint>
#include <functional>
#include <vector>

#include "kernel.h"
#include "workload/random.h"

namespace heddle::workload::streamcluster {

struct WeightedPoint {
  std::vector<float> at;
  float weight = 1;
};

struct PointSet {
  explicit PointSet(const std::vector<WeightedPoint>& points);

  std::size_t count() const { return weights.size(); }
  float coordinate(std::size_t point, std::size_t dimension) const {
    return coordinates[dimension * count() + point];
  }
  /// The weight of `point` times its squared distance from `other`.
  float cost(std::size_t point, std::size_t other) const;

  std::size_t dimensions;
  std::vector<float> coordinates;  ///< All first coordinates, then all second ones, and so on.
  std::vector<float> weights;
};

/// The centres, and for each point the one that serves it.
struct Solution {
  std::vector<StreamPoint> points;
  std::vector<std::int32_t> centres;
};

/// The device's result for making one more point a centre.
struct Trial {
  std::int32_t candidate = 0;
  std::vector<std::uint8_t> switches;  ///< For each point: whether the candidate would serve it.
  /// For each centre, the (negative) saving of the points that do not switch if the centre closed;
  /// at the end, the saving of all points that switch.
  std::vector<double> saved;
};

/// A solution and the trials from it. The last trial leads to the next stage.
struct Stage {
  Solution solution;
  std::vector<Trial> trials;
};

using TryCandidate = std::function<Trial(const Solution&, std::int32_t candidate)>;

/// The desired numbers of centres, both inclusive, and the number of candidates per pass (a run of
/// trials at one price).
struct SearchLimits {
  std::size_t min_centres, max_centres;
  std::size_t candidates_per_pass;
};

/// Starts with few centres, opens candidates that are worth their price and closes centres that no
/// longer are. Finds the price by bisection between prices that give too many and too few centres.
std::vector<Stage> search(const PointSet& points, const SearchLimits& limits, Random& random,
                          const TryCandidate& try_candidate);

}  // namespace heddle::workload::streamcluster
