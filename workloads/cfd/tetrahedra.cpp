#include "tetrahedra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace heddle::workload::cfd {
namespace {

using Point = std::array<double, 3>;
using Corners = std::array<std::size_t, 4>;

/// Elements are renumbered within groups of this size.
constexpr std::size_t kWindow = 384;

Point minus(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The corners of the mesh and the elements between them.
class Box {
 public:
  Box(const Cubes& cubes, Random& random) : sides_{cubes.x, cubes.y, cubes.z} {
    place_corners(random);
    cut_cubes(random);
    for (std::size_t from = 0; from < elements_.size(); from += kWindow) {
      const std::size_t size = std::min(kWindow, elements_.size() - from);
      for (std::size_t i = size; i > 1; --i) {
        std::swap(elements_[from + i - 1],
                  elements_[from + random.below(static_cast<std::uint32_t>(i))]);
      }
    }
  }

  const std::vector<Corners>& elements() const { return elements_; }

  /// The corners of the face opposite to one of an element's corners.
  static std::array<std::size_t, 3> face(const Corners& element, std::size_t opposite) {
    std::array<std::size_t, 3> corners{};
    for (std::size_t i = 0, to = 0; i < 4; ++i) {
      if (i != opposite) corners.at(to++) = element.at(i);
    }
    std::sort(corners.begin(), corners.end());
    return corners;
  }

  /// The normal of the face opposite to a corner. It points outwards and is as long as the face is
  /// large.
  Point normal(const Corners& element, std::size_t opposite) const {
    const auto [a, b, c] = face(element, opposite);
    Point normal = cross(minus(corners_[b], corners_[a]), minus(corners_[c], corners_[a]));
    const double towards = dot(normal, minus(corners_[element.at(opposite)], corners_[a]));
    for (double& component : normal) component *= towards > 0 ? -0.5 : 0.5;
    return normal;
  }

  /// Whether all corners of the face are on the same outer side of the box.
  bool is_outside(const std::array<std::size_t, 3>& face) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (const double side : {0.0, static_cast<double>(sides_.at(axis))}) {
        if (std::all_of(face.begin(), face.end(),
                        [&](std::size_t corner) { return corners_[corner].at(axis) == side; })) {
          return true;
        }
      }
    }
    return false;
  }

 private:
  std::size_t corner_at(const std::array<int, 3>& at) const {
    return static_cast<std::size_t>((at[2] * (sides_[1] + 1) + at[1]) * (sides_[0] + 1) + at[0]);
  }

  void place_corners(Random& random) {
    for (int z = 0; z <= sides_[2]; ++z) {
      for (int y = 0; y <= sides_[1]; ++y) {
        for (int x = 0; x <= sides_[0]; ++x) {
          const std::array<int, 3> at{x, y, z};
          Point corner{};
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool inside = at.at(axis) > 0 && at.at(axis) < sides_.at(axis);
            corner.at(axis) = at.at(axis) + (inside ? random.uniform(-0.1, 0.1) : 0);
          }
          corners_.push_back(corner);
        }
      }
    }
  }

  void cut_cubes(Random& random) {
    Point middle{}, radius{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      middle.at(axis) = sides_.at(axis) * random.uniform(0.4, 0.5);
      radius.at(axis) = std::max(0.8, sides_.at(axis) * random.uniform(0.15, 0.25));
    }
    for (int z = 0; z < sides_[2]; ++z) {
      for (int y = 0; y < sides_[1]; ++y) {
        for (int x = 0; x < sides_[0]; ++x) {
          double from_middle = 0;
          const std::array<int, 3> cube{x, y, z};
          for (std::size_t axis = 0; axis < 3; ++axis) {
            const double radii = (cube.at(axis) + 0.5 - middle.at(axis)) / radius.at(axis);
            from_middle += radii * radii;
          }
          if (from_middle > 1) cut(cube);
        }
      }
    }
  }

  /// Cuts a cube into one element for each order of the axes from the cube's first corner to its
  /// last. Faces of neighbouring cubes are then cut alike.
  void cut(const std::array<int, 3>& cube) {
    std::array<std::size_t, 3> order{0, 1, 2};
    do {
      std::array<int, 3> at = cube;
      Corners element{corner_at(at)};
      for (std::size_t i = 0; i < 3; ++i) {
        ++at.at(order.at(i));
        element.at(i + 1) = corner_at(at);
      }
      elements_.push_back(element);
    } while (std::next_permutation(order.begin(), order.end()));
  }

  std::array<int, 3> sides_;
  std::vector<Point> corners_;
  std::vector<Corners> elements_;
};

struct Face {
  std::array<std::size_t, 3> corners;
  std::size_t place;  ///< face * elements + element
};

}  // namespace

::cfd::Vector Tetrahedra::normal(std::size_t element, std::size_t face) const {
  const std::size_t at = face * count() + element;
  const std::size_t all = ::cfd::kFaces * count();
  return {normals[at], normals[at + all], normals[at + 2 * all]};
}

Tetrahedra make_tetrahedra(const Cubes& cubes, Random& random) {
  const Box box(cubes, random);
  const std::size_t count = box.elements().size();
  const std::size_t all = ::cfd::kFaces * count;
  Tetrahedra mesh{.beyond = std::vector<std::int32_t>(all, ::cfd::kWall),
                  .normals = std::vector<float>(3 * all),
                  .surfaces = std::vector<float>(count)};
  std::vector<Face> faces;
  for (std::size_t i = 0; i < count; ++i) {
    double surface = 0;
    for (std::size_t f = 0; f < ::cfd::kFaces; ++f) {
      const std::size_t place = f * count + i;
      faces.push_back({Box::face(box.elements()[i], f), place});
      if (box.is_outside(faces.back().corners)) mesh.beyond[place] = ::cfd::kFarField;
      const Point normal = box.normal(box.elements()[i], f);
      surface += std::sqrt(dot(normal, normal));
      for (std::size_t axis = 0; axis < 3; ++axis) {
        mesh.normals[place + axis * all] = static_cast<float>(normal.at(axis));
      }
    }
    mesh.surfaces[i] = static_cast<float>(surface);
  }
  // Two elements that touch have the same face, so they are neighbours in this order.
  std::sort(faces.begin(), faces.end(),
            [](const Face& a, const Face& b) { return a.corners < b.corners; });
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
    const Face &one = faces[i], &other = faces[i + 1];
    if (one.corners != other.corners) continue;
    mesh.beyond[one.place] = static_cast<std::int32_t>(other.place % count);
    mesh.beyond[other.place] = static_cast<std::int32_t>(one.place % count);
  }
  return mesh;
}

}  // namespace heddle::workload::cfd
