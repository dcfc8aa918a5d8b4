#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "config/set_parameter.h"
#include "configure.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/operands.h"

namespace heddle::sm {
namespace {

TEST(FlatOperands, OperandsAndResultsTakeNoTime) {
  const auto operands = make_operands({.policy = "flat"});
  const std::array<std::uint16_t, 3> registers{4, 4, 8};
  for (WarpSlot warp = 0; warp < 4; ++warp) {
    EXPECT_EQ(operands->free_from(Cycle(10)), Cycle(10));
    EXPECT_EQ(operands->read(warp, registers, Cycle(10)), Cycle(10));
    EXPECT_EQ(operands->write(warp, registers, Cycle(12)), Cycle(12));
  }
}

TEST(FlatOperands, CountsRegistersButNotPredicates) {
  const auto operands = make_operands({});
  const std::array<std::uint16_t, 4> registers{0, 255, kFirstPredicate, kFirstPredicate + 63};
  operands->read(0, registers, Cycle(1));
  operands->read(0, {}, Cycle(1));
  operands->write(0, std::span(registers).subspan(1), Cycle(1));
  CounterList counters;
  operands->declare(counters);
  ASSERT_EQ(counters.all().size(), 2u);
  EXPECT_EQ(counters.all()[0].name, "reads");
  EXPECT_EQ(*counters.all()[0].value, 2u);
  EXPECT_EQ(counters.all()[1].name, "writes");
  EXPECT_EQ(*counters.all()[1].value, 1u);
}

TEST(OperandDescription, AcceptsPolicyNamesAndRejectsOthers) {
  OperandDescription description;
  config::Declarations parameters;
  description.declare(parameters);
  config::set_parameter(parameters, "policy", "banked");
  config::set_parameter(parameters, "policy", "flat");
  EXPECT_THROW(config::set_parameter(parameters, "policy", "guessed"), InputError);
  EXPECT_THROW(make_operands({.policy = "guessed"}), InputError);
}

TEST(OperandDescription, SketchDescribesPolicy) {
  EXPECT_EQ(configure<OperandDescription>({"policy=flat"}).sketch(),
            (std::vector<std::string>{"all operands at issue"}));
  EXPECT_EQ(
      configure<OperandDescription>({"policy=banked", "banks=8", "collectors=1"}).sketch(),
      (std::vector<std::string>{"8 banks, by register-and-warp", "1 collector, 1 cycle to read"}));
}

}  // namespace
}  // namespace heddle::sm
