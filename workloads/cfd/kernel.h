#pragma once

// What host and kernels agree on.

namespace cfd {

constexpr int kBlock = 192;
constexpr int kFaces = 4;  ///< Elements are tetrahedra.
constexpr int kVariables = 5;
constexpr float kGamma = 1.4f;  ///< Heat capacities of air, at constant pressure by volume.
constexpr float kCourant = 0.5f;

/// What lies beyond a face where no element does.
constexpr int kWall = -1;
constexpr int kFarField = -2;

struct Vector {
  float x, y, z;
};

/// Of a unit of volume. In memory all densities come first, then all momenta along x, and so on.
struct State {
  float density;
  Vector momentum;
  float energy;
};

/// What flows through unit areas across x, y and z; of mass that is the momentum.
struct Flux {
  Vector momentum_x, momentum_y, momentum_z;
  Vector energy;
};

/// The undisturbed flow.
struct FarField {
  State state;
  Flux flux;
};

/// For each face, all elements' first faces first: what is beyond, and the normal, outwards and as
/// long as the face is large: all x, then all y, then all z.
struct Mesh {
  const int* beyond;
  const float* normals;
  const float* surfaces;  ///< Of each element, the area of all its faces.
  int elements;
};

}  // namespace cfd
