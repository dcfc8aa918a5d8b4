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

/// What takes area on a multiprocessor, as a technology states it.
struct AreaPart {
  std::string name;
  double square_millimetres = 0;  ///< Of each,
  double times = 1;               ///< of which a multiprocessor has so many.
  /// Where it goes by registers: `square_millimetres` are those of each kilobyte more than these.
  bool of_registers = false;
  double beyond_kilobytes = 0;
  /// "key=value" of a multiprocessor that has it; all of them.
  std::vector<std::string> where{};
  std::string included_in{};  ///< It is part of that one's area, and in no sum.
  std::string not_built{};    ///< Why no machine has it.
  Origin origin{};
};

}  // namespace heddle::energy
