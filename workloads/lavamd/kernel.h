#pragma once

// What host and kernel agree on.

namespace lavamd {

constexpr int kBlock = 128;
constexpr int kMostParticles = 100;  ///< In a box, one a thread.
constexpr int kNeighbours = 27;      ///< Of a box, with itself.

struct Particle {
  double half_square;  ///< Half the square of how far it is from the origin.
  double x, y, z;
};

struct Force {
  double potential;
  double x, y, z;
};

/// The boxes that touch one, itself first.
struct Box {
  int count;
  int neighbours[kNeighbours];
};

}  // namespace lavamd
