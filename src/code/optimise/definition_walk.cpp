#include "code/optimise/definition_walk.h"

#include "code/effects.h"

namespace heddle::code {

bool is_32_or_64_bit_integer(ValueType type) {
  return is_integer_or_bits(type) && (size_of(type) == 4 || size_of(type) == 8);
}

bool is_plain(const Instruction& instruction) {
  return !instruction.saturate && !instruction.carry_in && !instruction.carry_out &&
         !instruction.guard.present() && instruction.destinations.size() == 1;
}

void DefinitionWalk::record_writes(const Instruction& instruction) {
  for_each_written(instruction, [&](const Operand& operand) {
    last_written_[definitions_.values().number_of(operand)] = here_;
  });
}

const Instruction* DefinitionWalk::definition_of(const Operand& operand) const {
  const Instruction* writer =
      operand.is_register() ? definitions_.writer(function_, operand) : nullptr;
  return writer != nullptr && is_plain(*writer) && writer->destinations[0].width == operand.width
             ? writer
             : nullptr;
}

bool DefinitionWalk::is_unchanged(const Operand& operand, const Instruction& definition) const {
  if (!operand.is_register()) return true;
  const std::uint32_t value = definitions_.values().number_of(operand);
  if (definitions_.has_single_definition(value)) return true;
  const Definitions::Place made =
      definitions_.place(definitions_.values().number_of(definition.destinations[0]));
  if (made.block != here_.block || made.index >= here_.index) return false;
  const Definitions::Place written = last_written_[value];
  return written.block != here_.block || written.index < made.index;
}

bool DefinitionWalk::are_sources_unchanged(const Instruction& definition) const {
  for (const Operand& source : definition.sources) {
    if (!is_unchanged(source, definition)) return false;
  }
  return true;
}

const Instruction* DefinitionWalk::displaced_sum(const Operand& operand,
                                                 std::int64_t& displacement) const {
  const Instruction* sum = definition_of(operand);
  if (sum == nullptr || sum->operation != Operation::add || !is_32_or_64_bit_integer(sum->type) ||
      !sum->sources[0].is_register() || sum->sources[1].kind != Operand::Kind::immediate ||
      !is_unchanged(sum->sources[0], *sum)) {
    return nullptr;
  }
  const std::uint64_t bits = sum->sources[1].bits;
  displacement = size_of(sum->type) == 4
                     ? static_cast<std::int32_t>(static_cast<std::uint32_t>(bits))
                     : static_cast<std::int64_t>(bits);
  return sum;
}

}  // namespace heddle::code
