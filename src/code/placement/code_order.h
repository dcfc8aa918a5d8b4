#pragma once

// A function's instructions one after another. A position is an instruction's place in that order.

#include <cstdint>
#include <vector>

#include "base/inline_vector.h"
#include "code/control_flow.h"

namespace heddle::code {

using Position = std::uint32_t;

struct CodeOrder {
  explicit CodeOrder(const Function& its_function);

  Position size() const { return static_cast<Position>(instructions.size()); }
  BlockIndex blocks() const { return static_cast<BlockIndex>(first.size() - 1); }
  bool is_empty(BlockIndex index) const { return first[index] == first[index + 1]; }

  const Function& function;
  Graph control_flow;
  std::vector<const Instruction*> instructions;
  std::vector<Position> first;    ///< Of each block; and, last, how many there are.
  std::vector<BlockIndex> block;  ///< Of each position.
};

/// A 32-bit register that an instruction reads, and which of its sources (a bit each) name it.
struct WordRead {
  std::uint16_t word = 0;
  std::uint16_t slots = 0;
};

/// Each word once, in the order in which sources name them first.
InlineVector<WordRead, 48> words_read(const Instruction& instruction);

/// Calls visit(word) for each 32-bit register that is written.
template <class Visit>
void for_each_word_written(const Instruction& instruction, Visit&& visit) {
  for (const Operand& operand : instruction.destinations) {
    if (!operand.is_register()) continue;
    for (std::uint32_t i = 0; i < operand.width; ++i) {
      visit(static_cast<std::uint16_t>(operand.index + i));
    }
  }
}

}  // namespace heddle::code
