#pragma once

// The k-median of points by local search over where to open facilities: every open one has a price,
// every point costs its distance from the one that serves it.

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
  std::vector<float> coordinates;  ///< All first ones, then all second ones.
  std::vector<float> weights;
};

/// Which point serves which.
struct Solution {
  std::vector<StreamPoint> points;
  std::vector<std::int32_t> centres;
};

/// What the device says of making one more point a centre.
struct Trial {
  std::int32_t candidate = 0;
  std::vector<std::uint8_t> switches;  ///< Of each point: the candidate would serve it.
  /// For each centre what its points that do not switch would save if it closed, which is negative;
  /// at the end what all that switch save.
  std::vector<double> saved;
};

/// A solution, and the trials from it. The last one of them led to the next stage.
struct Stage {
  Solution solution;
  std::vector<Trial> trials;
};

using TryCandidate = std::function<Trial(const Solution&, std::int32_t candidate)>;

/// How many centres there shall be, and how many candidates a pass tries.
struct Wanted {
  std::size_t fewest, most;
  std::size_t tries;
};

/// From few centres, by opening candidates that are worth it and closing centres that are not any
/// more, at prices that are halved between what gives too many and too few.
std::vector<Stage> search(const PointSet& points, const Wanted& wanted, Random& random,
                          const TryCandidate& try_candidate);

}  // namespace heddle::workload::streamcluster
