#include "code/placement/code_order.h"

#include <algorithm>

namespace heddle::code {

CodeOrder::CodeOrder(const Function& listed_function)
    : function(listed_function), control_flow(control_flow_of(listed_function)) {
  first_position.reserve(function.blocks.size() + 1);
  for (BlockIndex index = 0; index < function.blocks.size(); ++index) {
    first_position.push_back(size());
    for (const Instruction& instruction : function.blocks[index].instructions) {
      instructions.push_back(&instruction);
      block_of.push_back(index);
    }
  }
  first_position.push_back(size());
}

InlineVector<WordRead, 48> words_read(const Instruction& instruction) {
  InlineVector<WordRead, 48> reads;
  for (std::size_t source = 0; source < instruction.sources.size(); ++source) {
    const Operand& operand = instruction.sources[source];
    if (!operand.is_register()) continue;
    for (std::uint32_t i = 0; i < operand.width; ++i) {
      const auto word = static_cast<std::uint16_t>(operand.index + i);
      auto* known = std::find_if(reads.begin(), reads.end(),
                                 [&](const WordRead& read) { return read.word == word; });
      if (known == reads.end()) {
        reads.push_back({word, 0});
        known = &reads.back();
      }
      known->source_mask = static_cast<std::uint16_t>(known->source_mask | 1U << source);
    }
  }
  return reads;
}

}  // namespace heddle::code
