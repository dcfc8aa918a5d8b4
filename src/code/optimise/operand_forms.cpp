#include <array>
#include <unordered_map>
#include <utility>

#include "code/effects.h"
#include "code/optimise/passes.h"

namespace heddle::code {
namespace {

using Kind = Operand::Kind;

bool is_outside_registers(const Operand& operand) {
  return operand.present() && !operand.is_register() && !operand.is_predicate();
}

/// Whether the operand needs no field for immediates in the encoding: it is 0, which one hardware
/// register always contains.
bool needs_no_field(const Operand& operand) {
  return operand.kind == Kind::immediate && operand.bits == 0;
}

class OperandForms {
 public:
  explicit OperandForms(Function& function) : function_(function) {}

  void run() {
    for (BasicBlock& block : function_.blocks) {
      moved_.clear();
      std::vector<Instruction> rewritten;
      rewritten.reserve(block.instructions.size());
      for (Instruction& instruction : block.instructions) {
        if (!is_control(instruction.operation) && effects_of(instruction).repeatable) {
          leave_one_outside_registers(instruction, rewritten);
        }
        rewritten.push_back(instruction);
      }
      block.instructions = std::move(rewritten);
    }
  }

 private:
  /// Leaves the instruction one source outside of registers. Appends moves of the others to
  /// `rewritten`.
  void leave_one_outside_registers(Instruction& instruction, std::vector<Instruction>& rewritten) {
    // Count the sources that need the only field for such operands in the encoding.
    std::size_t outside_count = 0;
    for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
      const Operand& source = instruction.sources[i];
      if (is_outside_registers(source) && !needs_no_field(source) &&
          !has_own_field(instruction, i)) {
        ++outside_count;
      }
    }
    // Move immediates first, since many instructions share them.
    for (const bool immediates : {true, false}) {
      for (std::size_t i = 0; i < instruction.sources.size() && outside_count > 1; ++i) {
        Operand& source = instruction.sources[i];
        if (!is_outside_registers(source) || needs_no_field(source) ||
            (source.kind == Kind::immediate) != immediates || has_own_field(instruction, i)) {
          continue;
        }
        source = in_register(source, instruction, rewritten);
        --outside_count;
      }
    }
  }

  /// Whether the source has its own field in the encoding, such as a shift amount or a selector.
  static bool has_own_field(const Instruction& instruction, std::size_t index) {
    switch (instruction.operation) {
      case Operation::shl:
      case Operation::shr:
        return index == 1;
      case Operation::mad_wide:
        return index == 1 && instruction.sources[1].bits == 1;  // A sum with an extended value.
      case Operation::shfl:
      case Operation::bfe:
        return index > 0;
      case Operation::bfi:
        return index > 1;
      default:
        return false;
    }
  }

  /// The register that contains the value of `source`. Appends a move to it, unless a recent one
  /// can be used.
  Operand in_register(const Operand& source, const Instruction& instruction,
                      std::vector<Instruction>& rewritten) {
    const std::uint64_t key = (std::uint64_t{source.index} << 32 ^ source.bits) * 31 +
                              static_cast<std::uint64_t>(source.kind) * 7 + source.width;
    // The maximum distance between two uses of the register, in instructions. Keeping the register
    // live for longer would cost more than another move.
    constexpr std::size_t kMaxDistance = 8;
    for (auto& moved : moved_[key]) {
      if (!(moved.source == source)) continue;
      if (rewritten.size() - moved.last_use > kMaxDistance) break;
      moved.last_use = rewritten.size();
      return moved.reg;
    }
    const Operand reg =
        Operand::reg(function_.new_register(source.width), static_cast<int>(source.width));
    Instruction move;
    move.operation = Operation::move;
    move.type = source.width == 1 ? ValueType::b32 : ValueType::b64;
    move.destinations.push_back(reg);
    move.sources.push_back(source);
    move.ptx_line = instruction.ptx_line;
    move.source = instruction.source;
    rewritten.push_back(move);
    std::vector<MovedOperand>& alike = moved_[key];
    std::erase_if(alike, [&](const MovedOperand& moved) { return moved.source == source; });
    alike.push_back({source, reg, rewritten.size()});
    return reg;
  }

  /// An operand and the register to which it was moved.
  struct MovedOperand {
    Operand source;
    Operand reg;
    std::size_t last_use = 0;  ///< Index of the last instruction that uses the register.
  };

  Function& function_;
  /// By hash of the operand: the operands that this block has moved to registers.
  std::unordered_map<std::uint64_t, std::vector<MovedOperand>> moved_;
};

}  // namespace

void limit_operand_forms(Function& function) { OperandForms(function).run(); }

}  // namespace heddle::code
