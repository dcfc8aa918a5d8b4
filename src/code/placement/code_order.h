#pragma once

// A function's instructions as one linear list. A position is an index into that list.

#include <cstdint>
#include <vector>

#include "base/inline_vector.h"
#include "code/control_flow.h"

namespace heddle::code {

using Position = std::uint32_t;

/// The linear list, which refers to the function's instructions.
struct CodeOrder {
  explicit CodeOrder(const Function& listed_function);

  Position size() const { return static_cast<Position>(instructions.size()); }
  /// The number of blocks.
  BlockIndex blocks() const { return static_cast<BlockIndex>(first_position.size() - 1); }
  bool is_empty(BlockIndex block) const {
    return first_position[block] == first_position[block + 1];
  }

  const Function& function;
  Graph control_flow;
  std::vector<const Instruction*> instructions;
  std::vector<Position> first_position;  ///< By block. One more entry at the end holds size().
  std::vector<BlockIndex> block_of;      ///< By position: the block that contains it.
};

/// A word that an instruction reads: a physical 32-bit register.
struct WordRead {
  std::uint16_t word = 0;         ///< The register's number.
  std::uint16_t source_mask = 0;  ///< Bit i: source operand i names the register.
};

/// The words that an instruction reads, each once, in the order in which the sources name them. An
/// instruction has at most 12 sources, of up to 4 words each.
InlineVector<WordRead, 48> words_read(const Instruction& instruction);

/// Calls visit(word) for each word that the instruction writes.
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
