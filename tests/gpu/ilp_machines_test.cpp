// The machine descriptions match the chips of Xiang's dissertation, sections 4.4 and 4.5. The
// dissertation calls a multiprocessor a core.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "config/declarations.h"
#include "gpu/machine.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

template <class Described>
std::string value_in(Described& described, std::string_view name) {
  config::Declarations parameters;
  described.declare(parameters);
  for (const auto& parameter : parameters.all()) {
    if (parameter.name == name) return parameter.value();
  }
  return "no such parameter";
}

/// The values by which the cores of a machine or a group differ: scoreboard, scoreboard entries,
/// bypass, branch policy, registers.
template <class Described>
std::vector<std::string> core_parameters(Described& described) {
  std::vector<std::string> values;
  for (const char* name : {"dependence.policy", "dependence.entries", "units.bypass",
                           "branch.policy", "sm.registers"}) {
    values.push_back(value_in(described, name));
  }
  return values;
}

const std::vector<std::string> kThroughputCore{"stall-on-miss", "8", "no", "wait", "16384"};

std::vector<std::string> ilp_core(const std::string& registers) {
  return {"commit-scoreboard", "8", "yes", "static", registers};
}

/// Bytes per DRAM clock cycle of one channel.
double bandwidth(const Machine& machine) {
  const auto& dram = machine.memory.dram;
  return static_cast<double>(dram.bandwidth_bytes) / dram.bandwidth_cycles;
}

TEST(IlpMachines, HaveTheBandwidthOfTheirNames) {
  // Table 6: 200 GB/s from 16 channels at 800 MHz.
  EXPECT_DOUBLE_EQ(bandwidth(load_machine("ilp")), 200e9 / 16 / 800e6);
  EXPECT_DOUBLE_EQ(bandwidth(load_machine("ilp-100gb")), 100e9 / 16 / 800e6);
  EXPECT_DOUBLE_EQ(bandwidth(load_machine("ilp-400gb")), 400e9 / 16 / 800e6);
  // Section 4.5: three memory modules per controller instead of two.
  for (const char* name : {"mixed-t", "mixed-i", "mixed-h"}) {
    EXPECT_DOUBLE_EQ(bandwidth(load_machine(name)), 300e9 / 16 / 800e6) << name;
  }
}

TEST(EqualAreaMachines, HaveFortyThroughputCoresOrThirtySixIlpCores) {
  Machine t = load_machine("mixed-t");
  EXPECT_EQ(t.chip.sms, 40U);
  EXPECT_EQ(core_parameters(t), kThroughputCore);
  EXPECT_EQ(t.kinds().size(), 1U);
  Machine i = load_machine("mixed-i");
  EXPECT_EQ(i.chip.sms, 36U);
  EXPECT_EQ(core_parameters(i), ilp_core("16384"));
  EXPECT_EQ(i.kinds().size(), 1U);
}

TEST(EqualAreaMachines, MixEighteenIlpCoresAndThenTwentyThroughputCores) {
  Machine h = load_machine("mixed-h");
  EXPECT_EQ(core_parameters(h), kThroughputCore);
  ASSERT_EQ(h.groups.size(), 1U);
  EXPECT_EQ(core_parameters(h.groups[0]), ilp_core("16384"));
  const std::vector<SmKind> kinds = h.kinds();
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0].group, "ilp");
  EXPECT_EQ(kinds[0].first, 0U);
  EXPECT_EQ(kinds[0].sms, 18U);
  EXPECT_EQ(kinds[1].first, 18U);
  EXPECT_EQ(kinds[1].sms, 20U);
}

TEST(EqualCoreCountMachines, HaveHalfTheRegistersInIlpCores) {
  Machine i = load_machine("mixed-same-i");
  EXPECT_EQ(i.chip.sms, 30U);
  EXPECT_EQ(core_parameters(i), ilp_core("8192"));
  Machine h = load_machine("mixed-same-h");
  EXPECT_EQ(h.chip.sms, 30U);
  EXPECT_EQ(core_parameters(h), kThroughputCore);
  ASSERT_EQ(h.groups.size(), 1U);
  EXPECT_EQ(h.groups[0].sms, 15U);
  EXPECT_EQ(core_parameters(h.groups[0]), ilp_core("8192"));
}

}  // namespace
}  // namespace heddle::gpu::test
