#pragma once

#include <cstdint>

#include "code/placement/hierarchy.h"

namespace heddle::sm {

/// The energy in pJ of an access to a 32-bit word in each level of registers, in banks and wires
/// together (Gebhart's dissertation on on-chip storage for throughput processors, Tables 4.5 and
/// 4.6). `entries`: the size of the operand file, in words per thread. Beyond 8 words, the largest
/// size in the table, the energies are those of 8 words.
code::PlaceEnergies place_energies(std::uint32_t entries);

}  // namespace heddle::sm
