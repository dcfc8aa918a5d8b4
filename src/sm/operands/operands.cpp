#include "sm/operands/operands.h"

namespace heddle::sm {

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

std::vector<std::string> OperandDescription::sketch() const {
  return OperandsRegistry::properties(policy, *this).sketch;
}

std::optional<code::Hierarchy> OperandDescription::hierarchy() const {
  return OperandsRegistry::properties(policy, *this).hierarchy;
}

void OperandCounters::declare(CounterList& counters) {
  counters.add("reads", reads, "registers", "of a warp that were read from the register file");
  counters.add("writes", writes, "registers", "of a warp that were written to the register file");
}

std::unique_ptr<Operands> make_operands(const OperandDescription& description) {
  // The description is also the policy's OperandSeam::Place: policies need no other surroundings.
  return OperandsRegistry::make(description.policy, description, description);
}

}  // namespace heddle::sm
