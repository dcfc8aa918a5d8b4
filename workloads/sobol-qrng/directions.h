#pragma once

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload {

/// 32 direction numbers for each of so many dimensions, most significant bit first. The first
/// dimension is van der Corput's sequence; each of the others has a primitive polynomial over GF(2)
/// of its own, the lowest first, and initial numbers that are drawn at random.
std::vector<std::uint32_t> sobol_directions(std::size_t dimensions, Random& random);

}  // namespace heddle::workload
