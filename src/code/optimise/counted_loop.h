#pragma once

// Loops of one block that count.

#include <cstddef>
#include <optional>

#include "code/function.h"

namespace heddle::code {

/// What a loop adds to a register in each round, and the bound that it compares it with at the end.
struct CountedLoop {
  std::size_t compare_index = 0;  ///< Of the comparison in the block.
  std::uint32_t step = 0;
  Operand counter;
  Operand bound;
  ValueType type = ValueType::s32;
  Comparison comparison = Comparison::less;  ///< counter ? bound: go round again
};

/// Whether block `index` is such a loop.
std::optional<CountedLoop> find_counted_loop(const Function& function, BlockIndex index);

}  // namespace heddle::code
