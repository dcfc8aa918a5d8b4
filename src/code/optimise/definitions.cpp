#include "code/optimise/definitions.h"

#include "code/effects.h"

namespace heddle::code {

Definitions::Definitions(const Function& function, const DominatorTree& dominators)
    : values_(function),
      has_single_definition_(values_.count(), true),
      places_(values_.count()),
      read_counts_(values_.count()) {
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    const auto& instructions = function.blocks[block].instructions;
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      for_each_written(instructions[i], [&](const Operand& operand) {
        const std::uint32_t value = values_.number_of(operand);
        if (instructions[i].guard.present() || places_[value].block != kNone ||
            !dominators.is_reachable(block)) {
          has_single_definition_[value] = false;
        }
        places_[value] = {block, i};
      });
    }
  }
  for (BlockIndex block = 0; block < function.blocks.size(); ++block) {
    const auto& instructions = function.blocks[block].instructions;
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      const auto read = [&](std::uint32_t value) {
        ++read_counts_[value];
        const Place definition = places_[value];
        if (definition.block == kNone ||
            (definition.block == block ? definition.index >= i
                                       : !dominators.dominates(definition.block, block))) {
          has_single_definition_[value] = false;
        }
      };
      for_each_read(instructions[i],
                    [&](const Operand& operand) { read(values_.number_of(operand)); });
      if (instructions[i].guard.present()) read(values_.number_of(instructions[i].guard));
    }
  }
}

}  // namespace heddle::code
