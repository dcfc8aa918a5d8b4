#pragma once

// What host and kernel agree on.

namespace cp {

constexpr int kBlockWidth = 16;
constexpr int kBlockHeight = 8;
/// Points of a row that a thread computes, as far from one another as a block is wide.
constexpr int kEach = 8;
/// The atoms of a launch at most: as many as fit into constant memory.
constexpr int kMostAtoms = 4000;

/// In angstroms and elementary charges. Only the square of the height above the plane is needed.
struct alignas(16) Atom {
  float x, y, height_squared, charge;
};

}  // namespace cp
