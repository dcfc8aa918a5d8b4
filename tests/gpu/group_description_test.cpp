// Groups of multiprocessors in machine descriptions: their parameters and the errors of invalid
// descriptions.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gpu/machine_files.h"

namespace heddle::gpu::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class GroupFiles : public MachineFiles {
 protected:
  /// Writes a machine file: warpman with eight multiprocessors, then `text`. Returns its path.
  std::string eight_sms_with(const std::string& text) const {
    return write("groups.toml", "based_on = \"warpman\"\n[chip]\nsms = 8\n" + text);
  }
};

TEST_F(GroupFiles, OverrideParametersOfTheMachine) {
  const Machine machine = load_machine(eight_sms_with(R"(
[group.big]
sms = 2
l1.bytes = "64K"
[group.big.sm]
blocks = 6
[l1]
ways = 4
)"));
  ASSERT_EQ(machine.groups.size(), 1U);
  const SmGroup& big = machine.groups.front();
  EXPECT_EQ(big.name, "big");
  EXPECT_EQ(big.sms, 2U);
  EXPECT_EQ(big.sm.memory.l1.cache.bytes, 65536U);
  EXPECT_EQ(big.sm.residency.blocks, 6U);
  EXPECT_EQ(big.sm.memory.l1.cache.ways, 4U)
      << "the group inherits it although [l1] follows the group in the file";
  EXPECT_EQ(machine.sm.memory.l1.cache.bytes, 16384U);
  EXPECT_EQ(machine.sm.residency.blocks, 8U);
}

TEST_F(GroupFiles, TakeTheFirstMultiprocessorsInFileOrder) {
  const Machine machine = load_machine(
      eight_sms_with("[group.small]\nsms = 3\n[group.big.l1]\nways = 2\n[group.big]\nsms = 1\n"));
  const std::vector<SmKind> kinds = machine.kinds();
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].group, "small");
  EXPECT_EQ(kinds[1].group, "big");
  EXPECT_EQ(kinds[1].first, 3U);
  EXPECT_EQ(kinds[1].sms, 1U);
  EXPECT_EQ(kinds[2].group, "");
  EXPECT_EQ(kinds[2].first, 4U);
  EXPECT_EQ(kinds[2].sms, 4U);
  EXPECT_EQ(kinds[2].sm, &machine.sm);
}

TEST_F(GroupFiles, MayTakeTheLastMultiprocessors) {
  const Machine machine = load_machine(
      eight_sms_with("groups_first = false\n[group.small]\nsms = 3\n[group.big]\nsms = 1\n"));
  const std::vector<SmKind> kinds = machine.kinds();
  ASSERT_EQ(kinds.size(), 3U);
  EXPECT_EQ(kinds[0].group, "");
  EXPECT_EQ(kinds[0].first, 0U);
  EXPECT_EQ(kinds[0].sms, 4U);
  EXPECT_EQ(kinds[1].group, "small");
  EXPECT_EQ(kinds[1].first, 4U);
  EXPECT_EQ(kinds[2].group, "big");
  EXPECT_EQ(kinds[2].first, 7U);
}

TEST_F(GroupFiles, MayCoverAllMultiprocessors) {
  const Machine machine = load_machine(eight_sms_with("[group.a]\nsms = 3\n[group.b]\nsms = 5\n"));
  ASSERT_EQ(machine.kinds().size(), 2U);
  EXPECT_EQ(machine.kinds()[1].group, "b");
}

TEST_F(GroupFiles, CanOverrideGroupsOfTheBaseMachine) {
  eight_sms_with("[group.big]\nsms = 2\nl1.bytes = \"64K\"\nl1.ways = 4\n");
  const Machine machine = load_machine(write("top.toml",
                                             "based_on = \"groups.toml\"\n"
                                             "[group.tiny]\nsms = 1\n"
                                             "[group.big]\nl1.bytes = \"128K\"\n"));
  ASSERT_EQ(machine.groups.size(), 2U);
  EXPECT_EQ(machine.groups[0].name, "big");
  EXPECT_EQ(machine.groups[0].sms, 2U);
  EXPECT_EQ(machine.groups[0].sm.memory.l1.cache.bytes, 131072U);
  EXPECT_EQ(machine.groups[0].sm.memory.l1.cache.ways, 4U);
  EXPECT_EQ(machine.groups[1].name, "tiny");
}

TEST_F(GroupFiles, CanBeChangedBySettings) {
  const Machine machine =
      load_machine(eight_sms_with("[group.big]\nsms = 2\nl1.bytes = \"64K\"\n"),
                   {"group.big.l1.bytes=128K", "l1.bytes=32K", "group.big.sms=3", "l1.ways=2"});
  const SmGroup& big = machine.groups.front();
  EXPECT_EQ(big.sms, 3U);
  EXPECT_EQ(big.sm.memory.l1.cache.bytes, 131072U);
  EXPECT_EQ(big.sm.memory.l1.cache.ways, 2U);
  EXPECT_EQ(machine.sm.memory.l1.cache.bytes, 32768U);
}

TEST_F(GroupFiles, DeclareTheirParametersOnTheMachine) {
  Machine machine = load_machine(eight_sms_with("[group.big]\nsms = 2\nl1.bytes = \"64K\"\n"));
  config::Declarations parameters;
  machine.declare(parameters);
  EXPECT_EQ(parameters.find("group.big.sms").value(), "2");
  EXPECT_EQ(parameters.find("group.big.l1.bytes").value(), "65536");
  EXPECT_EQ(parameters.find("l1.bytes").value(), "16384");
  Machine warpman = load_machine("warpman");
  config::Declarations warpman_parameters;
  warpman.declare(warpman_parameters);
  EXPECT_FALSE(warpman_parameters.has_part("group"));
}

TEST_F(GroupFiles, RejectParametersThatMultiprocessorsLack) {
  EXPECT_THAT(error_of(eight_sms_with("[group.big]\nsms = 2\nclock.core_mhz = 700\n")),
              AllOf(HasSubstr("groups.toml:6"), HasSubstr("'group.big.clock'")));
  EXPECT_THAT(error_of(eight_sms_with("[group.big]\nsms = 2\n[group.big.l2]\nways = 2\n")),
              AllOf(HasSubstr("groups.toml:6"), HasSubstr("'group.big.l2'")));
  EXPECT_THAT(error_of(eight_sms_with("[group.big]\nsms = 2\nl1.bites = 8192\n")),
              AllOf(HasSubstr("groups.toml:6"), HasSubstr("did you mean 'group.big.l1.bytes'")));
  EXPECT_THAT(error_of(eight_sms_with("[group.big]\nsms = 0\n")),
              AllOf(HasSubstr("groups.toml:5"), HasSubstr("group.big.sms = 0")));
}

TEST_F(GroupFiles, RejectMalformedGroups) {
  EXPECT_THAT(error_of(eight_sms_with("[[group]]\nsms = 2\n")),
              AllOf(HasSubstr("groups.toml:4"), HasSubstr("[group.NAME]")));
  EXPECT_THAT(error_of(eight_sms_with("[group]\nsms = 2\n")),
              AllOf(HasSubstr("groups.toml:5"), HasSubstr("[group.NAME]")));
  EXPECT_THAT(error_of(eight_sms_with("[group.\"a.b\"]\nsms = 2\n")),
              AllOf(HasSubstr("groups.toml:4"), HasSubstr("not 'a.b'")));
}

TEST_F(GroupFiles, RejectMoreMultiprocessorsThanTheChipHas) {
  EXPECT_THAT(error_of(eight_sms_with("[group.a]\nsms = 4\n[group.b]\nsms = 5\n")),
              AllOf(HasSubstr("9 multiprocessors"), HasSubstr("chip.sms is 8")));
  EXPECT_THAT(error_of(eight_sms_with("[group.a]\nsms = 4\n"), {"chip.sms=3"}),
              HasSubstr("chip.sms is 3"));
  EXPECT_THAT(error_of(eight_sms_with("[group.a]\nl1.ways = 4\n")), HasSubstr("group.a.sms"));
}

TEST_F(GroupFiles, NameTheGroupWhoseParametersConflict) {
  EXPECT_THAT(
      error_of(eight_sms_with("[group.a]\nsms = 4\n[group.a.coalescer]\nsegment_bytes = 128\n")),
      AllOf(HasSubstr("group 'a'"), HasSubstr("coalescer.segment_bytes")));
  EXPECT_THAT(error_of(eight_sms_with("[group.a]\nsms = 4\n"), {"group.a.lsu.request_bytes=256"}),
              HasSubstr("group 'a'"));
}

// A program is compiled once for the whole chip, so all multiprocessors must have the same register
// levels.
TEST_F(GroupFiles, RejectGroupsWithDifferentRegisterLevels) {
  const auto with_levels = [&](const std::string& group_operands,
                               const std::string& machine_operands) {
    return eight_sms_with("[group.big]\nsms = 2\n[group.big.operands]\n" + group_operands +
                          "active_only = false\n[operands]\n" + machine_operands +
                          "active_only = false\n");
  };
  const std::string managed = "policy = \"managed\"\n";
  const std::string cache = "policy = \"register-cache\"\n";
  const std::string banked = "policy = \"banked\"\n";
  const auto differs =
      AllOf(HasSubstr("compiled once"), HasSubstr("differ in the levels of registers"),
            HasSubstr("[operands]"));
  EXPECT_THAT(error_of(with_levels(managed, banked)), differs);
  EXPECT_THAT(error_of(with_levels(banked, managed)), differs);
  EXPECT_THAT(error_of(with_levels(managed + "entries = 2\n", managed + "entries = 3\n")), differs);
  EXPECT_THAT(error_of(with_levels(managed + "energy_main_read = 2\n", managed)), differs);
  EXPECT_THAT(error_of(with_levels(cache + "last_results = 1\n", banked)), differs);
  EXPECT_EQ(error_of(with_levels(managed, managed)), "no error");
  // The compiler does not depend on a cache without a last-result file.
  EXPECT_EQ(error_of(with_levels(cache, banked)), "no error");
}

TEST_F(GroupFiles, RejectSettingsOfUnknownGroups) {
  EXPECT_THAT(error_of(eight_sms_with("[group.big]\nsms = 4\n"), {"group.bug.sms=2"}),
              HasSubstr("did you mean 'group.big.sms'"));
  EXPECT_THAT(error_of("warpman", {"group.big.sms=2"}), HasSubstr("'group.big.sms'"));
}

}  // namespace
}  // namespace heddle::gpu::test
