#pragma once

// What host and kernel agree on.

namespace cp {

constexpr int kBlockWidth = 16;
constexpr int kBlockHeight = 8;
/// Points of a row that a thread computes, as far from one another as a block is wide.
constexpr int kEach = 8;
/// As many as constant memory has room for.
constexpr int kMostAtoms = 4000;

/// In angstroms and elementary charges. Of how high the atom is above the plane only the square is
/// needed.
struct alignas(16) Atom {
  float x, y, height_squared, charge;
};

}  // namespace cp
