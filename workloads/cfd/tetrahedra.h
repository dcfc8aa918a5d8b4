#pragma once

// A mesh of tetrahedra around a body in a wind tunnel.

#include <cstdint>
#include <vector>

#include "kernel.h"
#include "workload/random.h"

namespace heddle::workload::cfd {

/// The mesh in the kernels' layout (cfd::Mesh).
struct Tetrahedra {
  std::vector<std::int32_t> beyond;
  std::vector<float> normals;
  std::vector<float> surfaces;

  std::size_t count() const { return surfaces.size(); }
  /// The outward normal of a face, as long as the face is large.
  ::cfd::Vector normal(std::size_t element, std::size_t face) const;
};

/// The number of cubes along each axis.
struct Cubes {
  int x, y, z;
};

/// A box of cubes, six tetrahedra each, with slightly displaced corners; an ellipsoid in the middle
/// is left out. Touching elements often, but not always, have close numbers.
Tetrahedra make_tetrahedra(const Cubes& cubes, Random& random);

}  // namespace heddle::workload::cfd
