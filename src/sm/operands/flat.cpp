// A register file without ports and conflicts. Operands are available at issue. The latencies of
// the units include the time to read and write registers.

#include <algorithm>

#include "sm/instructions/issue_table.h"
#include "sm/operands/operands.h"

namespace heddle::sm {
namespace {

std::uint64_t count_registers(std::span<const std::uint16_t> registers) {
  return static_cast<std::uint64_t>(
      std::count_if(registers.begin(), registers.end(),
                    [](std::uint16_t number) { return number < kFirstPredicate; }));
}

class Flat final : public Operands {
 public:
  Cycle free_from(Cycle now) const override { return now; }
  Cycles read_latency() const override { return Cycles(0); }
  Cycle read(WarpSlot, std::span<const std::uint16_t> registers, Cycle now) override {
    counters_.reads += count_registers(registers);
    return now;
  }
  Cycle write(WarpSlot, std::span<const std::uint16_t> registers, Cycle done) override {
    counters_.writes += count_registers(registers);
    return done;
  }
  void declare(CounterList& counters) override { counters_.declare(counters); }

 private:
  OperandCounters counters_;
};

struct FlatParameters {
  static OperandProperties properties(const OperandDescription&) {
    return {.sketch = {"all operands at issue"}};
  }
};

const OperandsRegistry::Entry flat_entry{
    "flat", "operands are available at issue, results when the unit has computed them",
    [](const FlatParameters&, const OperandDescription&) { return std::make_unique<Flat>(); }};

}  // namespace
}  // namespace heddle::sm
