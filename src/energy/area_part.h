#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "energy/origin.h"

namespace heddle::energy {

/// Whole square micrometres, so that parts add up to their sum exactly.
using SquareMicrometres = std::int64_t;

inline double in_square_millimetres(SquareMicrometres area) {
  return static_cast<double>(area) / 1e6;
}

/// A part of a multiprocessor and its area, as a technology states it.
struct AreaPart {
  std::string name;
  double square_millimetres = 0;  ///< Area of one instance.
  double times = 1;               ///< Number of instances in a multiprocessor.
  /// If true, `square_millimetres` is the area of each kilobyte of registers in excess of
  /// `beyond_kilobytes`, and `times` is not used.
  bool scales_with_registers = false;
  double beyond_kilobytes = 0;
  /// Conditions "parameter=value". A multiprocessor has the part if all of them hold.
  std::vector<std::string> where{};
  /// The name of the part whose area includes this one; else empty. This part is then in no sum.
  std::string included_in{};
  std::string not_built{};  ///< Why no machine has the part; empty if a machine may have it.
  Origin origin{};
};

}  // namespace heddle::energy
