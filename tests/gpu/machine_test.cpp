// Machine descriptions, built-in or in files, with settings, and the errors of invalid
// descriptions.

#include "gpu/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "gpu/check_constructible.h"
#include "gpu/chip.h"
#include "gpu/chip_run.h"
#include "gpu/machine_files.h"
#include "gpu/workload_on_chip.h"
#include "source_file.h"

namespace heddle::gpu::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(MachineDescriptions, MatchTheFilesInTheMachinesFolder) {
  std::set<std::string> files, names;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_file("descriptions/machines"))) {
    files.insert(entry.path().stem());
  }
  for (const KnownMachine& machine : known_machines()) names.insert(std::string(machine.name));
  EXPECT_EQ(files, names);
  for (const std::string& baseline : kBaselines) EXPECT_TRUE(names.contains(baseline)) << baseline;
}

TEST(MachineDescriptions, AreCompleteAndHaveASummary) {
  for (const KnownMachine& known : known_machines()) {
    SCOPED_TRACE(known.name);
    const Machine machine = load_machine(std::string(known.name));
    EXPECT_EQ(machine.name, known.name);
    EXPECT_FALSE(machine.summary.empty());
    EXPECT_EQ(machine.summary, known.summary());
    EXPECT_NO_THROW(Chip{machine});
  }
}

TEST(Machine, CompilesWithoutMultiplyAddsOnRequest) {
  EXPECT_EQ(load_machine("storage").compile_options().multiply_add, code::MultiplyAdd::fused);
  EXPECT_EQ(load_machine("storage", {"isa.fused_multiply_add=no"}).compile_options().multiply_add,
            code::MultiplyAdd::separate);
}

TEST(MachineDescriptions, AreEqualByNameAndByFile) {
  for (const KnownMachine& known : known_machines()) {
    SCOPED_TRACE(known.name);
    Machine by_name = load_machine(std::string(known.name));
    Machine by_file =
        load_machine(source_file("descriptions/machines/" + std::string(known.name) + ".toml"));
    EXPECT_EQ(by_file.name, known.name);
    EXPECT_EQ(by_file.summary, by_name.summary);
    config::Declarations a, b;
    by_name.declare(a);
    by_file.declare(b);
    ASSERT_EQ(a.all().size(), b.all().size());
    for (std::size_t i = 0; i < a.all().size(); ++i) {
      EXPECT_EQ(a.all()[i].value(), b.all()[i].value()) << a.all()[i].name;
    }
  }
}

TEST(MachineDescriptions, InheritFromTheirBase) {
  const Machine uniform = load_machine("uniform");
  const Machine ilp = load_machine("ilp");
  EXPECT_EQ(ilp.chip.sms, uniform.chip.sms);
  EXPECT_EQ(ilp.sm.memory.l1.cache.bytes, uniform.sm.memory.l1.cache.bytes);
  EXPECT_EQ(ilp.clock.core_mhz, 325U);
  EXPECT_EQ(ilp.sm.dependence.policy, "stall-on-miss");
  const Machine fast = load_machine("ilp-1300");
  EXPECT_EQ(fast.clock.core_mhz, 1300U);
  EXPECT_EQ(fast.sm.dependence.policy, "stall-on-miss");
}

TEST(MachineDescriptions, SuggestTheNearestNameForAnUnknownOne) {
  EXPECT_THAT(error_of("warpmam"),
              AllOf(HasSubstr("unknown machine 'warpmam'"), HasSubstr("did you mean 'warpman'")));
}

TEST(MachineDescriptions, ApplySettingsLast) {
  const Machine machine = load_machine(
      "warpman", {"chip.sms=3", "l1.bytes=32K", "schedule.policy=greedy-oldest", "chip.sms=5"});
  EXPECT_EQ(machine.chip.sms, 5U);
  EXPECT_EQ(machine.sm.memory.l1.cache.bytes, 32768U);
  EXPECT_EQ(machine.sm.schedule.policy, "greedy-oldest");
  EXPECT_EQ(machine.clock.core_mhz, 700U);
}

TEST(MachineDescriptions, RejectInvalidSettings) {
  EXPECT_THAT(error_of("warpman", {"l1.byte=4096"}),
              AllOf(HasSubstr("l1.byte"), HasSubstr("did you mean 'l1.bytes'")));
  EXPECT_THAT(error_of("warpman", {"chip.sms=0"}), AllOf(HasSubstr("chip.sms"), HasSubstr("1")));
  EXPECT_THAT(error_of("warpman", {"chip.sms=1025"}), HasSubstr("1024"));
  EXPECT_THAT(error_of("warpman", {"chip.sms=many"}), HasSubstr("chip.sms"));
  EXPECT_THAT(error_of("warpman", {"schedule.policy=round-robbin"}),
              HasSubstr("did you mean 'round-robin'"));
  EXPECT_THAT(error_of("warpman", {"chip.sms"}), HasSubstr("KEY=VALUE"));
}

TEST(MachineDescriptions, RejectConflictingParameters) {
  EXPECT_THAT(error_of("warpman", {"dispatch.latency=49"}),
              AllOf(HasSubstr("dispatch.latency (49)"), HasSubstr("interconnect.latency (50)")));
  EXPECT_EQ(error_of("warpman", {"dispatch.latency=50"}), "no error");
  EXPECT_THAT(error_of("warpman", {"sm.warps=1", "schedule.schedulers=2"}),
              AllOf(HasSubstr("2 schedulers"), HasSubstr("1 warps (sm.warps)")));
  EXPECT_THAT(error_of("warpman", {"coalescer.segment_bytes=128"}),
              AllOf(HasSubstr("coalescer.segment_bytes"), HasSubstr("l1.line_bytes")));
  EXPECT_THAT(error_of("warpman", {"memory.interleave_bytes=32"}),
              HasSubstr("memory.interleave_bytes"));
  EXPECT_THAT(error_of("warpman", {"lsu.request_bytes=48"}), HasSubstr("power of two"));
}

TEST(MachineDescriptions, RejectLargeWarpsWithPartialRowsOrTooManyThreads) {
  const auto error = [](const Settings& settings) {
    return error_of("large-warps", Settings{"divergence.policy=large-warp"} + settings);
  };
  EXPECT_EQ(error({"divergence.large_warp=1024"}), "no error");
  EXPECT_THAT(error({"divergence.large_warp=100"}),
              AllOf(HasSubstr("divergence.large_warp is 100"), HasSubstr("rows of 32 threads")));
  EXPECT_THAT(error({"divergence.large_warp=1056"}), HasSubstr("1024"));
  EXPECT_THAT(error({"divergence.large_warp=512", "sm.warps=15"}),
              AllOf(HasSubstr("divergence.large_warp is 512"), HasSubstr("only 480 threads")));
  EXPECT_EQ(error({"divergence.large_warp=480", "sm.warps=15"}), "no error");
  // With a single large warp, the second scheduler would have no work. A fetch group must not have
  // more large warps than the multiprocessor.
  EXPECT_THAT(error_of("warpman", {"divergence.policy=large-warp", "divergence.large_warp=1024"}),
              HasSubstr("2 schedulers"));
  const Settings groups{"divergence.large_warp=256", "schedule.policy=fetch-groups"};
  EXPECT_EQ(error(groups + Settings{"schedule.fetch_group=4"}), "no error");
  EXPECT_THAT(error(groups + Settings{"schedule.fetch_group=5"}),
              AllOf(HasSubstr("schedule.fetch_group"), HasSubstr("5"), HasSubstr("4")));
}

TEST(MachineDescriptions, AllowDynamicFormationOnlyOnABarrelWithOneScheduler) {
  const Settings formation{"divergence.policy=dynamic-formation"};
  const Settings majority = formation + Settings{"schedule.policy=majority"};
  EXPECT_EQ(error_of("large-warps", majority), "no error");
  EXPECT_EQ(error_of("large-warps", formation + Settings{"schedule.policy=post-dominator"}),
            "no error");
  EXPECT_THAT(error_of("large-warps", majority + Settings{"dependence.policy=scoreboard"}),
              AllOf(HasSubstr("needs dependence.policy 'barrel', not 'scoreboard'"),
                    HasSubstr("nothing in flight")));
  EXPECT_THAT(
      error_of("large-warps", majority + Settings{"schedule.schedulers=2", "fetch.ports=2"}),
      AllOf(HasSubstr("one pool of warps"), HasSubstr("schedule.schedulers is 2")));
  EXPECT_EQ(error_of("large-warps", majority + Settings{"divergence.formed_warps=32"}), "no error");
  EXPECT_THAT(
      error_of("large-warps", majority + Settings{"divergence.formed_warps=31"}),
      AllOf(HasSubstr("divergence.formed_warps is 31"), HasSubstr("32 resident warps (sm.warps)")));
}

TEST(MachineDescriptions, RejectFormationSchedulersWithoutDynamicFormation) {
  for (const std::string policy : {"majority", "post-dominator"}) {
    for (const std::string divergence : {"stack", "large-warp"}) {
      EXPECT_THAT(
          error_of("large-warps", {"schedule.policy=" + policy, "divergence.policy=" + divergence}),
          AllOf(HasSubstr("schedule.policy '" + policy + "'"),
                HasSubstr("divergence.policy '" + divergence + "' does not do"),
                HasSubstr("it needs 'dynamic-formation'")));
    }
  }
}

TEST_F(MachineFiles, DescribeMachinesLikeBuiltInOnes) {
  const std::string file = write("mine.toml",
                                 "summary = \"of my own\"\nbased_on = \"warpman\"\n"
                                 "[chip]\nsms = 2\n[l1]\nbytes = 8192\n");
  const Machine machine = load_machine(file, {"l1.ways=4"});
  EXPECT_EQ(machine.name, "mine");
  EXPECT_EQ(machine.summary, "of my own");
  EXPECT_EQ(machine.chip.sms, 2U);
  EXPECT_EQ(machine.sm.memory.l1.cache.bytes, 8192U);
  EXPECT_EQ(machine.sm.memory.l1.cache.ways, 4U);
  EXPECT_EQ(machine.clock.core_mhz, 700U);
}

TEST_F(MachineFiles, ResolveBasesRelativeToTheFile) {
  write("bases/base.toml", "summary = \"base\"\nbased_on = \"uniform\"\n[chip]\nsms = 7\n");
  write("bases/middle.toml", "summary = \"middle\"\nbased_on = \"base.toml\"\n[l1]\nways = 4\n");
  const Machine machine =
      load_machine(write("top.toml", "summary = \"top\"\nbased_on = \"bases/middle.toml\"\n"));
  EXPECT_EQ(machine.chip.sms, 7U);
  EXPECT_EQ(machine.sm.memory.l1.cache.ways, 4U);
  EXPECT_EQ(machine.clock.core_mhz, 1300U);
  EXPECT_EQ(machine.summary, "top");
}

TEST(MachineDescriptions, RejectImpossibleCacheShapes) {
  for (const KnownMachine& known : known_machines()) {
    EXPECT_NO_THROW(check_constructible(load_machine(std::string(known.name)))) << known.name;
  }
  EXPECT_THROW(check_constructible(load_machine("storage", {"l1.bytes=100K", "l1.ways=7"})),
               InputError);
  EXPECT_THROW(check_constructible(load_machine("warpman", {"l2.bytes=100K", "l2.ways=7"})),
               InputError);
}

TEST_F(MachineFiles, RejectImpossibleCacheShapesInGroups) {
  const std::string group =
      write("group.toml",
            "based_on = \"storage\"\n[group.big]\nsms = 1\nl1.bytes = 102400\nl1.ways = 7\n");
  EXPECT_THROW(check_constructible(load_machine(group)), InputError);
}

TEST_F(MachineFiles, RejectCyclicBases) {
  EXPECT_THAT(error_of(write("self.toml", "based_on = \"self.toml\"\n")),
              HasSubstr("based on itself"));
  write("a.toml", "based_on = \"b.toml\"\n");
  EXPECT_THAT(error_of(write("b.toml", "based_on = \"a.toml\"\n")), HasSubstr("based on itself"));
}

TEST_F(MachineFiles, ReportFileAndLineOfErrors) {
  EXPECT_THAT(error_of(write("key.toml", "[chip]\nsmss = 2\n")),
              AllOf(HasSubstr("key.toml:2"), HasSubstr("did you mean 'chip.sms'")));
  EXPECT_THAT(error_of(write("range.toml", "[chip]\n\nsms = 0\n")),
              AllOf(HasSubstr("range.toml:3"), HasSubstr("chip.sms")));
  EXPECT_THAT(error_of(write("toml.toml", "[chip\n")), HasSubstr("toml.toml:1"));
  EXPECT_THAT(error_of(write("base.toml", "based_on = \"no-such\"\n")),
              HasSubstr("unknown machine 'no-such'"));
  EXPECT_THAT(error_of("no/such/file.toml"), HasSubstr("no/such/file.toml"));
}

}  // namespace
}  // namespace heddle::gpu::test
