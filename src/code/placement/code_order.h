#pragma once

// A function's instructions as one linear list. A position is an index into that list.

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
  std::vector<Position> first;    ///< By block: its first position. One more entry holds size().
  std::vector<BlockIndex> block;  ///< By position: its block.
};

/// A 32-bit register that an instruction reads.
struct WordRead {
  std::uint16_t word = 0;   ///< The register's number.
  std::uint16_t slots = 0;  ///< A bit for each source operand that names it.
};

/// The words that an instruction reads, each once, in the order in which sources first name them.
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
