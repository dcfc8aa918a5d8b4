// What operand policies are beyond register files: their interfaces, and their properties.

#include "sm/operands/operand_interfaces.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "configure.h"
#include "sm/operands/operands.h"

namespace heddle::sm {
namespace {

OperandDescription description_of(const std::string& policy) {
  return configure<OperandDescription>({"policy=" + policy});
}

TEST(OperandInterfaces, AreAbsentFromPlainRegisterFiles) {
  for (const std::string policy : {"flat", "banked"}) {
    const std::unique_ptr<Operands> operands = make_operands(description_of(policy));
    EXPECT_EQ(operands->interfaces().levels, nullptr) << policy;
    EXPECT_EQ(operands->interfaces().control, nullptr) << policy;
    EXPECT_EQ(operands->interfaces().active_set, nullptr) << policy;
  }
}

TEST(OperandInterfaces, ArePresentInLayeredPolicies) {
  for (const std::string policy : {"register-cache", "managed", "value-use"}) {
    const std::unique_ptr<Operands> operands = make_operands(description_of(policy));
    EXPECT_NE(operands->interfaces().levels, nullptr) << policy;
    EXPECT_NE(operands->interfaces().control, nullptr) << policy;
    EXPECT_NE(operands->interfaces().active_set, nullptr) << policy;
  }
}

TEST(OperandProperties, OnlyARegisterCacheDelaysBranches) {
  EXPECT_EQ(description_of("register-cache").branch_cycles(), Cycles(1));
  for (const std::string policy : {"flat", "banked", "managed", "value-use"}) {
    EXPECT_EQ(description_of(policy).branch_cycles(), Cycles(0)) << policy;
  }
}

TEST(OperandProperties, OnlyAManagedFileSuspendsByMarks) {
  EXPECT_TRUE(description_of("managed").suspends_by_marks());
  for (const std::string policy : {"flat", "banked", "register-cache", "value-use"}) {
    EXPECT_FALSE(description_of(policy).suspends_by_marks()) << policy;
  }
}

}  // namespace
}  // namespace heddle::sm
