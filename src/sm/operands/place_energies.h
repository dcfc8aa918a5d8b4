#pragma once

#include <cstdint>

#include "code/placement/hierarchy.h"

namespace heddle::sm {

/// Energy of an access to a 32-bit word in each level, in pJ, banks and wires together, with an
/// operand file of `entries` words per thread (Gebhart's dissertation on on-chip storage for
/// throughput processors, Tables 4.5 and 4.6). Files larger than the largest in the table have that
/// file's energies.
code::PlaceEnergies place_energies(std::uint32_t entries);

}  // namespace heddle::sm
