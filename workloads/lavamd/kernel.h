#pragma once

// What host and kernel agree on.

namespace lavamd {

constexpr int kBlock = 128;
constexpr int kMostParticles = 100;  ///< Per box; one per thread.
constexpr int kNeighbours = 27;      ///< Of a box, itself included.

struct Particle {
  double half_square;  ///< Half the squared distance from the origin.
  double x, y, z;
};

struct Force {
  double potential;
  double x, y, z;
};

/// The boxes around a box: itself first, then those that touch it.
struct Box {
  int count;
  int neighbours[kNeighbours];
};

}  // namespace lavamd
