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
  /// True if the area scales with the register file. `square_millimetres` is then the area of each
  /// kilobyte of registers in excess of `beyond_kilobytes`.
  bool scales_with_registers = false;
  double beyond_kilobytes = 0;
  /// "parameter=value": a multiprocessor has the part if all of these hold.
  std::vector<std::string> where{};
  std::string included_in{};  ///< The part whose area includes this one, which is then in no sum.
  std::string not_built{};    ///< Why no machine has the part; empty if one may.
  Origin origin{};
};

}  // namespace heddle::energy
