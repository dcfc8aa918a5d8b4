#pragma once

// Dependences between instructions of a block: which pairs must stay in order.

#include <cstdint>
#include <span>
#include <vector>

#include "code/instruction.h"
#include "code/liveness.h"

namespace heddle::code {

/// Instruction `to` must stay after instruction `from`. Both are indices.
struct Dependence {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  /// The minimum number of cycles from the start of `from` to the start of `to`.
  std::uint32_t latency = 0;
};

/// The dependences in a list of consecutive instructions. `from` is always lower than `to`.
std::vector<Dependence> dependences_of(std::span<const Instruction> instructions,
                                       const ValueNumbering& values);

}  // namespace heddle::code
