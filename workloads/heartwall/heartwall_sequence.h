#pragma once

// A synthetic ultrasound recording of a beating heart, in a section across its left ventricle.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "workload/inputs/noise.h"

namespace heddle::workload::heartwall {

/// A position in a frame, in pixels.
struct Place {
  double x = 0, y = 0;
};

class Sequence {
 public:
  Sequence(int width, int height, std::uint64_t seed);

  /// Levels of 0 to 255, in rows from the top.
  std::vector<std::uint8_t> frame(int number) const;
  /// `count` places spread around the ventricle's wall, on its inner or its outer side, in frame 0.
  std::vector<Place> wall(int count, bool outer) const;
  /// The position in a frame of tissue that is at `place` in frame 0.
  Place moved(Place place, int number) const;

 private:
  /// The position and size of the heart in one frame.
  struct Pose {
    Place centre;
    double inner = 0, outer = 0;  ///< Radii of the wall.
  };

  Pose pose(int number) const;
  double far() const { return 2.2 * rest_.outer; }
  double brightness(Place tissue) const;
  bool is_in_fan(double x, double y) const;

  int width_, height_;
  std::uint64_t seed_;
  Pose rest_;
  Random random_;
  Noise noise_;
};

}  // namespace heddle::workload::heartwall
