#pragma once

// What host and kernels agree on.

namespace cfd {

constexpr int kBlock = 192;
constexpr int kFaces = 4;  ///< Elements are tetrahedra.
constexpr int kVariables = 5;
constexpr float kGamma = 1.4f;  ///< The ratio of the heat capacities of air.
constexpr float kCourant = 0.5f;

/// The neighbour beyond a face if it is not an element.
constexpr int kWall = -1;
constexpr int kFarField = -2;

struct Vector {
  float x, y, z;
};

/// The gas per unit of volume. In memory, all densities come first, then all momenta along x, and
/// so on.
struct State {
  float density;
  Vector momentum;
  float energy;
};

/// The flow through unit areas across x, y and z. The flow of mass is the momentum.
struct Flux {
  Vector momentum_x, momentum_y, momentum_z;
  Vector energy;
};

/// The undisturbed flow.
struct FarField {
  State state;
  Flux flux;
};

/// For each face: what is beyond it, and its outward normal, as long as the face is large. The
/// first faces of all elements come first. Normals are stored as all x, then all y, then all z.
struct Mesh {
  const int* beyond;
  const float* normals;
  const float* surfaces;  ///< The area of all faces of each element.
  int elements;
};

}  // namespace cfd
