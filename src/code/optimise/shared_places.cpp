#include "code/optimise/passes.h"

namespace heddle::code {

void place_shared_variables(Function& function, const std::vector<Variable>& variables) {
  for (BasicBlock& block : function.blocks) {
    for (Instruction& instruction : block.instructions) {
      for (Operand& source : instruction.sources) {
        if (source.kind != Operand::Kind::variable ||
            variables[source.index].space != VariableSpace::shared) {
          continue;
        }
        std::uint64_t address = variables[source.index].shared_offset + source.bits;
        if (source.width == 1) address &= 0xffff'ffff;
        source = Operand::immediate(address, source.width);
      }
    }
  }
}

}  // namespace heddle::code
