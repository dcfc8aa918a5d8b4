#pragma once

#include <cstdint>

#include "code/placement/hierarchy.h"

namespace heddle::sm {

/// What an access of a word of 32 bits takes in each level, bank and wire, in pJ, with an operand
/// file of `entries` words a thread: Gebhart's dissertation on on-chip storage for throughput
/// processors, Tables 4.5 and 4.6. Of files larger than the table's, as of its largest.
code::PlaceEnergies place_energies(std::uint32_t entries);

}  // namespace heddle::sm
