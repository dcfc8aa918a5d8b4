#pragma once

// Which instructions of a block must stay in their order.

#include <cstdint>
#include <span>
#include <vector>

#include "code/instruction.h"
#include "code/liveness.h"

namespace heddle::code {

struct Dependence {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t latency = 0;  ///< `to` can start so much later than `from`.
};

/// Of consecutive instructions; every edge goes forward.
std::vector<Dependence> dependences_of(std::span<const Instruction> instructions,
                                       const ValueNumbering& values);

}  // namespace heddle::code
