// Checks that memory addresses stay the same when the compiler moves constant displacements into
// the accesses. Chains of additions and multiplications compute random shared-memory addresses.

#include <gtest/gtest.h>

#include <random>
#include <utility>

#include "code/optimise/passes.h"
#include "code/verify.h"
#include "gpu/sanitized.h"
#include "random_function.h"
#include "reference_machine.h"

namespace heddle::code::testing {
namespace {

/// Makes a loop with loads and stores. It computes their addresses from values that change in each
/// iteration.
class RandomAddresses {
 public:
  explicit RandomAddresses(std::uint32_t seed) : random_(seed) {}

  Function make() {
    function_.name = "addresses";
    function_.is_kernel = true;
    for (int i = 0; i < 4; ++i) values_.push_back(new_register());
    function_.blocks.resize(3);
    for (const Operand& value : values_) {
      append(0, Operation::move, value, {Operand::constant(0x160 + 4 * below(8))});
    }
    const Operand counter = new_register();
    append(0, Operation::move, counter, {Operand::immediate(0)});
    for (int i = 0; i < 8; ++i) access();
    const Operand changed = any_value();
    append(1, Operation::add, changed, {changed, Operand::immediate(small_constant())});
    append(1, Operation::add, counter, {counter, Operand::immediate(1)});
    const Operand repeats = Operand::predicate(function_.new_predicate());
    append(1, Operation::setp, repeats, {counter, Operand::immediate(3)}).comparison =
        Comparison::less;
    Instruction branch;
    branch.operation = Operation::branch;
    branch.target = 1;
    branch.guard = {repeats.index, false};
    function_.blocks[1].instructions.push_back(branch);
    Instruction leave;
    leave.operation = Operation::exit;
    function_.blocks[2].instructions.push_back(leave);
    return std::move(function_);
  }

 private:
  std::uint32_t below(std::uint32_t bound) {
    return std::uniform_int_distribution<std::uint32_t>(0, bound - 1)(random_);
  }
  Operand new_register() { return Operand::reg(function_.new_register()); }
  const Operand& any_value() { return values_[below(static_cast<std::uint32_t>(values_.size()))]; }
  std::uint32_t small_constant() { return below(4) == 0 ? ~below(64) : 4 * below(64); }

  Instruction& append(BlockIndex block, Operation operation, const Operand& to,
                      std::initializer_list<Operand> sources) {
    Instruction instruction;
    instruction.operation = operation;
    instruction.type = ValueType::u32;
    instruction.destinations.push_back(to);
    for (const Operand& source : sources) instruction.sources.push_back(source);
    return function_.blocks[block].instructions.emplace_back(instruction);
  }

  /// Appends an instruction that computes a new value from `from`, and returns the new value.
  Operand step(const Operand& from) {
    const Operand to = new_register();
    switch (below(6)) {
      case 0:
        append(1, Operation::add, to, {from, Operand::immediate(small_constant())});
        break;
      case 1:
        append(1, Operation::add, to, {Operand::immediate(small_constant()), from});
        break;
      case 2:
        append(1, Operation::add, to, {any_value(), from});
        break;
      case 3:
        append(1, Operation::shl, to, {from, Operand::immediate(below(7))});
        break;
      case 4:
        append(1, Operation::mad_lo, to, {from, Operand::immediate(1 + below(70)), any_value()});
        break;
      default:
        append(1, Operation::mad_lo, to,
               {from, Operand::immediate(std::uint64_t{1} << below(8)),
                Operand::immediate(small_constant())});
        break;
    }
    return to;
  }

  /// Appends the computation of an address, and a load or store at that address.
  void access() {
    Operand address = any_value();
    for (std::uint32_t i = below(6); i > 0; --i) address = step(address);
    Instruction access;
    access.type = ValueType::u32;
    access.space = Space::shared;
    access.offset = 4 * static_cast<std::int64_t>(below(8)) - 16;
    access.sources.push_back(address);
    if (below(3) == 0) {
      access.operation = Operation::load;
      access.destinations.push_back(any_value());
    } else {
      access.operation = Operation::store;
      access.sources.push_back(any_value());
    }
    function_.blocks[1].instructions.push_back(access);
    if (below(4) == 0) values_.push_back(address);
  }

  std::mt19937 random_;
  Function function_;
  std::vector<Operand> values_;
};

void expect_same_accesses(const Function& before, const Function& after, std::uint32_t seed) {
  constexpr std::uint32_t kMaxSteps = 2000;
  ASSERT_EQ(find_defect(after, CodeForm::virtual_registers), std::nullopt) << "seed " << seed;
  const Run expected = ReferenceMachine(before, false, 1).run(kMaxSteps);
  const Run actual = ReferenceMachine(after, false, 1).run(kMaxSteps);
  ASSERT_TRUE(expected.has_finished && actual.has_finished) << "seed " << seed;
  ASSERT_EQ(expected.events.size(), actual.events.size()) << "seed " << seed;
  for (std::size_t i = 0; i < expected.events.size(); ++i) {
    ASSERT_EQ(expected.events[i].address, actual.events[i].address) << "seed " << seed;
    ASSERT_EQ(expected.events[i].value, actual.events[i].value) << "seed " << seed;
  }
}

TEST(RandomAddresses, AccessSameLocationsAfterDisplacement) {
  const std::uint32_t seeds = gpu::test::kSanitized ? 500 : 3000;
  std::uint32_t displaced = 0;
  for (std::uint32_t seed = 0; seed < seeds; ++seed) {
    const Function before = RandomAddresses(seed).make();
    Function after = before;
    split_webs(after);
    propagate_values(after);
    if (displace_addresses(after)) ++displaced;
    expect_same_accesses(before, after, seed);
    Function whole = before;
    optimise(whole);
    schedule_blocks(whole, 24);
    expect_same_accesses(before, whole, seed);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(displaced, seeds * 2 / 3);
}

}  // namespace
}  // namespace heddle::code::testing
