#include "sm/operands/operands.h"

namespace heddle::sm {

void OperandDescription::declare(config::Declarations& parameters) {
  parameters.choice("policy", policy, OperandsRegistry::names(),
                    "where the values of instructions come from");
  parameters.number("banks", banks, {.least = 1, .most = 64},
                    "banks of the register file; each holds whole registers of a warp");
  parameters.choice("layout", layout, {"register", "register-and-warp"},
                    "what a register's bank goes by: its number, or its number and the warp's");
  parameters.choice("ports", ports, {"1r1w", "1rw"},
                    "of a bank: one to read and one to write, or one for both");
  parameters.number("collectors", collectors, {.least = 1, .most = 256},
                    "units that hold an instruction until all its values are read");
  parameters.number("read_cycles", read_cycles, {.unit = "core cycles", .least = 1, .most = 64},
                    "from the access of a bank until the value is there");
}

void OperandCounters::declare(CounterList& counters) {
  counters.add("reads", reads, "registers", "of a warp, read from the register file");
  counters.add("writes", writes, "registers", "of a warp, written to the register file");
}

std::unique_ptr<Operands> make_operands(const OperandDescription& description) {
  return OperandsRegistry::get(description.policy)(description);
}

}  // namespace heddle::sm
