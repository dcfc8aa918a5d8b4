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

/// Whether the operand needs no field in the encoding: it is 0, and a hardware register always
/// contains 0.
bool is_free(const Operand& operand) {
  return operand.kind == Kind::immediate && operand.bits == 0;
}

class OperandForms {
 public:
  explicit OperandForms(Function& function) : function_(function) {}

  void run() {
    for (BasicBlock& block : function_.blocks) {
      held_.clear();
      std::vector<Instruction> rewritten;
      rewritten.reserve(block.instructions.size());
      for (Instruction& instruction : block.instructions) {
        if (!is_control(instruction.operation) && effects_of(instruction).repeatable) {
          keep_one(instruction, rewritten);
        }
        rewritten.push_back(instruction);
      }
      block.instructions = std::move(rewritten);
    }
  }

 private:
  void keep_one(Instruction& instruction, std::vector<Instruction>& rewritten) {
    // Count the sources that need the only field for such operands in the encoding.
    std::size_t outside = 0;
    for (std::size_t i = 0; i < instruction.sources.size(); ++i) {
      const Operand& source = instruction.sources[i];
      if (is_outside_registers(source) && !is_free(source) && !encodes_amount(instruction, i)) {
        ++outside;
      }
    }
    // Move immediates first, since many instructions share them.
    for (const bool immediates : {true, false}) {
      for (std::size_t i = 0; i < instruction.sources.size() && outside > 1; ++i) {
        Operand& source = instruction.sources[i];
        if (!is_outside_registers(source) || is_free(source) ||
            (source.kind == Kind::immediate) != immediates || encodes_amount(instruction, i)) {
          continue;
        }
        source = hold(source, instruction, rewritten);
        --outside;
      }
    }
  }

  /// Whether the source has its own field in the encoding, such as a shift amount or a selector.
  static bool encodes_amount(const Instruction& instruction, std::size_t index) {
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

  Operand hold(const Operand& source, const Instruction& instruction,
               std::vector<Instruction>& rewritten) {
    const std::uint64_t key = (std::uint64_t{source.index} << 32 ^ source.bits) * 31 +
                              static_cast<std::uint64_t>(source.kind) * 7 + source.width;
    // In instructions: holding a register for longer costs more than another move.
    constexpr std::size_t kReach = 8;
    for (auto& held : held_[key]) {
      if (!(held.source == source)) continue;
      if (rewritten.size() - held.last_use > kReach) break;
      held.last_use = rewritten.size();
      return held.reg;
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
    std::vector<Held>& alike = held_[key];
    std::erase_if(alike, [&](const Held& held) { return held.source == source; });
    alike.push_back({source, reg, rewritten.size()});
    return reg;
  }

  struct Held {
    Operand source;
    Operand reg;
    std::size_t last_use = 0;
  };

  Function& function_;
  /// By hash: the operands that registers of this block already hold.
  std::unordered_map<std::uint64_t, std::vector<Held>> held_;
};

}  // namespace

void limit_operand_forms(Function& function) { OperandForms(function).run(); }

}  // namespace heddle::code
