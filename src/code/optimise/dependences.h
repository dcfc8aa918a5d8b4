#pragma once

// Dependences between instructions of a block: which ones must stay in order.

#include <cstdint>
#include <span>
#include <vector>

#include "code/instruction.h"
#include "code/liveness.h"

namespace heddle::code {

struct Dependence {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  /// `to` can start this many cycles after `from` at the earliest.
  std::uint32_t latency = 0;
};

/// The dependences between consecutive instructions, given as indices. `from` is always lower than
/// `to`.
std::vector<Dependence> dependences_of(std::span<const Instruction> instructions,
                                       const ValueNumbering& values);

}  // namespace heddle::code
