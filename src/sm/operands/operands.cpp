#include "sm/operands/operands.h"

#include "base/inline_vector.h"

namespace heddle::sm {
namespace {

using SelectedRegisters = InlineVector<std::uint16_t, kMaxOperandRegisters>;

SelectedRegisters select(std::span<const std::uint16_t> registers, RegisterSelection selection) {
  SelectedRegisters selected;
  for (std::size_t i = 0; i < registers.size(); ++i) {
    if (selection.contains(i)) selected.push_back(registers[i]);
  }
  return selected;
}

}  // namespace

void OperandDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, OperandsRegistry::names(),
                    "register file and the levels above it that serve instructions' operands");
  OperandsRegistry::declare(*this, parameters);
}

void OperandDescription::storage(config::StorageList& list) const {
  OperandsRegistry::storage(policy, list);
}

void OperandDescription::check(const SmDescription& sm) const {
  OperandsRegistry::check(policy, *this, sm);
}

bool OperandDescription::is_register_file() const {
  return OperandsRegistry::properties(policy, *this).is_register_file;
}

std::vector<std::string> OperandDescription::sketch() const {
  return OperandsRegistry::properties(policy, *this).sketch;
}

Cycles OperandDescription::branch_cycles() const {
  return OperandsRegistry::properties(policy, *this).branch_cycles;
}

bool OperandDescription::suspends_by_marks() const {
  return OperandsRegistry::properties(policy, *this).suspends_by_marks;
}

std::optional<code::Hierarchy> OperandDescription::hierarchy() const {
  return OperandsRegistry::properties(policy, *this).hierarchy;
}

void OperandCounters::declare(CounterList& counters) {
  counters.add("reads", reads, "registers", "of a warp that were read from the register file");
  counters.add("writes", writes, "registers", "of a warp that were written to the register file");
}

Cycle Operands::read_selected(WarpSlot warp, std::span<const std::uint16_t> registers,
                              RegisterSelection selection, Cycle now) {
  const SelectedRegisters selected = select(registers, selection);
  return read(warp, {selected.begin(), selected.size()}, now);
}

Cycle Operands::write_selected(WarpSlot warp, std::span<const std::uint16_t> registers,
                               RegisterSelection selection, Cycle done) {
  const SelectedRegisters selected = select(registers, selection);
  return write(warp, {selected.begin(), selected.size()}, done);
}

std::unique_ptr<Operands> make_operands(const OperandDescription& description) {
  // The description is also the policy's OperandSeam::Place: policies need no other surroundings.
  return OperandsRegistry::make(description.policy, description, description);
}

}  // namespace heddle::sm
