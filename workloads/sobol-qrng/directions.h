#pragma once

#include <cstdint>
#include <vector>

#include "workload/random.h"

namespace heddle::workload {

/// 32 direction numbers for each dimension, most significant bit first. The first dimension is van
/// der Corput's sequence. Each of the others has its own primitive polynomial over GF(2), the
/// lowest first, and random initial numbers.
std::vector<std::uint32_t> sobol_directions(std::size_t dimensions, Random& random);

}  // namespace heddle::workload
