#pragma once

// Detection of counted loops: loops of one block whose number of iterations follows from a counter.

#include <cstddef>
#include <optional>

#include "code/function.h"

namespace heddle::code {

/// A loop that adds `step` to `counter` in each iteration and compares it with `bound` at the end.
struct CountedLoop {
  std::size_t compare_index = 0;  ///< Index of the comparison in the block.
  std::uint32_t step = 0;         ///< Modulo 2^32, so a loop may count down.
  Operand counter;
  Operand bound;
  ValueType type = ValueType::s32;  ///< The type of the comparison.
  /// The loop iterates again if this comparison of the new counter with `bound` is true.
  Comparison comparison = Comparison::less;
};

/// Returns the loop if block `index` is a counted loop, otherwise std::nullopt.
std::optional<CountedLoop> find_counted_loop(const Function& function, BlockIndex index);

}  // namespace heddle::code
