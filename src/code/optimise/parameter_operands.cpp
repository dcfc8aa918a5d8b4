#include <vector>

#include "code/dominators.h"
#include "code/effects.h"
#include "code/launch_constants.h"
#include "code/liveness.h"
#include "code/optimise/definitions.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

using Kind = Operand::Kind;

/// Whether the instruction does nothing but read a kernel parameter into a register.
bool reads_parameter(const Instruction& instruction) {
  return instruction.operation == Operation::move && !instruction.guard.present() &&
         instruction.sources[0].kind == Kind::constant &&
         instruction.sources[0].index >= launch_constants::kParameters &&
         instruction.sources[0].width == instruction.destinations[0].width;
}

/// Whether the instruction converts a global address to a generic one or back. They are equal.
bool keeps_address(const Instruction& instruction) {
  return instruction.operation == Operation::convert_address && !instruction.guard.present() &&
         instruction.space == Space::global && instruction.sources[0].is_register() &&
         instruction.sources[0].width == instruction.destinations[0].width;
}

void make_move(Instruction& instruction) {
  Instruction move;
  move.operation = Operation::move;
  move.type = ValueType::b64;
  move.destinations = instruction.destinations;
  move.sources = instruction.sources;
  move.ptx_line = instruction.ptx_line;
  move.source = instruction.source;
  instruction = move;
}

class ParameterOperands {
 public:
  explicit ParameterOperands(Function& function)
      : function_(function),
        dominators_(control_flow_of(function), 0),
        definitions_(function, dominators_),
        origin_(definitions_.values().count()) {}

  void run() {
    // A single definition dominates all reads of its value, so this order visits it first.
    for (const std::uint32_t block : dominators_.preorder()) {
      for (Instruction& instruction : function_.blocks[block].instructions) visit(instruction);
    }
    drop_unread();
  }

 private:
  const ValueNumbering& values() const { return definitions_.values(); }
  bool has_single_definition(const Operand& reg) const {
    return definitions_.has_single_definition(values().number_of(reg));
  }

  void visit(Instruction& instruction) {
    const bool reads = reads_parameter(instruction);
    const bool keeps = keeps_address(instruction);
    for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
      Operand& source = instruction.sources[i];
      if (!source.is_register()) continue;
      const Operand& origin = origin_[values().number_of(source)];
      if (origin.is_register() || (origin.present() && takes_any_operand(instruction, i))) {
        source = origin;
      }
    }
    if (!reads && !keeps) return;
    if (keeps) make_move(instruction);
    const Operand& source = instruction.sources[0];
    const Operand& destination = instruction.destinations[0];
    if (has_single_definition(destination) &&
        (source.kind == Kind::constant || has_single_definition(source))) {
      origin_[values().number_of(destination)] = source;
    }
  }

  /// Drops the definitions of values that have an origin and that nothing reads any more.
  void drop_unread() {
    std::vector<bool> is_read(values().count());
    for (const BasicBlock& block : function_.blocks) {
      for (const Instruction& instruction : block.instructions) {
        for_each_read(instruction,
                      [&](const Operand& operand) { is_read[values().number_of(operand)] = true; });
      }
    }
    for (BasicBlock& block : function_.blocks) {
      std::erase_if(block.instructions, [&](const Instruction& instruction) {
        if (instruction.operation != Operation::move) return false;
        const std::uint32_t value = values().number_of(instruction.destinations[0]);
        return origin_[value].present() && !is_read[value];
      });
    }
  }

  Function& function_;
  DominatorTree dominators_;
  Definitions definitions_;
  std::vector<Operand> origin_;  ///< By value: the parameter or register that it equals, if any.
};

}  // namespace

void read_parameters_as_operands(Function& function) {
  if (!function.blocks.empty()) ParameterOperands(function).run();
}

}  // namespace heddle::code
