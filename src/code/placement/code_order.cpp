#include "code/placement/code_order.h"

#include <algorithm>

namespace heddle::code {

CodeOrder::CodeOrder(const Function& its_function)
    : function(its_function), control_flow(control_flow_of(its_function)) {
  first.reserve(function.blocks.size() + 1);
  for (BlockIndex index = 0; index < function.blocks.size(); ++index) {
    first.push_back(size());
    for (const Instruction& instruction : function.blocks[index].instructions) {
      instructions.push_back(&instruction);
      block.push_back(index);
    }
  }
  first.push_back(size());
}

InlineVector<WordRead, 48> words_read(const Instruction& instruction) {
  InlineVector<WordRead, 48> reads;
  for (std::size_t slot = 0; slot < instruction.sources.size(); ++slot) {
    const Operand& operand = instruction.sources[slot];
    if (!operand.is_register()) continue;
    for (std::uint32_t i = 0; i < operand.width; ++i) {
      const auto word = static_cast<std::uint16_t>(operand.index + i);
      auto* known = std::find_if(reads.begin(), reads.end(),
                                 [&](const WordRead& read) { return read.word == word; });
      if (known == reads.end()) {
        reads.push_back({word, 0});
        known = &reads.back();
      }
      known->slots = static_cast<std::uint16_t>(known->slots | 1U << slot);
    }
  }
  return reads;
}

}  // namespace heddle::code
