#include "lab/sources.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>

#include "gpu/dispatch/dispatcher.h"
#include "lab/run_key.h"
#include "memory/dram/dram_channel.h"
#include "sm/branch/branch_unit.h"
#include "sm/dependence/dependence.h"
#include "sm/divergence/divergence.h"
#include "sm/operands/operands.h"
#include "sm/redundancy/redundancy.h"
#include "sm/residency/residency.h"
#include "sm/schedule/scheduler.h"
#include "source_file.h"

namespace heddle::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The sources after a change of a policy's file.
Sources with_changed(std::string_view policy) {
  Sources changed = sources();
  for (PolicySource& source : changed.policies) {
    if (source.name == policy) source.digest = "changed";
  }
  return changed;
}

std::string key_of(const std::vector<std::string>& settings, const Sources& from) {
  const gpu::Machine machine = gpu::load_machine("storage", settings);
  const std::string parameters = parameters_of(machine);
  const std::string version = from.version_of(machine);
  return run_key({.workload = "bfs", .ptx = "", .parameters = parameters, .version = version});
}

bool changes(const std::vector<std::string>& settings, const Sources& changed) {
  return key_of(settings, sources()) != key_of(settings, changed);
}

template <class Registry>
void expect_contained() {
  const std::vector<PolicySource>& known = sources().policies;
  for (const std::string& name : Registry::names()) {
    const bool found =
        std::any_of(known.begin(), known.end(), [&](const auto& a) { return a.name == name; });
    // A file that offers others more than a policy has a header and belongs to the core's digest.
    const bool in_core = name == "fixed" || name == "fr-fcfs" || name == "commit-scoreboard";
    EXPECT_NE(found, in_core) << name;
  }
}

TEST(SourcesTest, ContainTheFileOfEveryRegisteredPolicy) {
  expect_contained<gpu::DispatcherRegistry>();
  expect_contained<memory::DramRegistry>();
  expect_contained<sm::BranchRegistry>();
  expect_contained<sm::DependenceRegistry>();
  expect_contained<sm::DivergenceRegistry>();
  expect_contained<sm::OperandsRegistry>();
  expect_contained<sm::RedundancyRegistry>();
  expect_contained<sm::ResidencyRegistry>();
  expect_contained<sm::SchedulerRegistry>();
  for (const PolicySource& policy : sources().policies) {
    EXPECT_TRUE(std::filesystem::exists(source_file(std::string(policy.file)))) << policy.file;
    EXPECT_EQ(policy.digest.size(), 64U);
  }
}

TEST(SourcesTest, ChangedPolicyChangesKeysOfMachinesThatSelectIt) {
  const Sources changed = with_changed("fetch-groups");
  EXPECT_TRUE(changes({"schedule.policy=fetch-groups"}, changed));
  EXPECT_FALSE(changes({"schedule.policy=round-robin"}, changed));
  EXPECT_TRUE(changes({"schedule.policy=round-robin"}, with_changed("round-robin")));
  EXPECT_FALSE(changes({"schedule.policy=round-robin"}, with_changed("dynamic-formation")));
  EXPECT_FALSE(changes({}, with_changed("barrel")));
}

TEST(SourcesTest, NestedPolicyChangesKeys) {
  const std::vector<std::string> two_levels{"schedule.policy=active-set",
                                            "schedule.inner=round-robin"};
  EXPECT_TRUE(changes(two_levels, with_changed("active-set")));
  EXPECT_TRUE(changes(two_levels, with_changed("round-robin")));
}

/// A policy's parameters are part of every machine, and so are the policies that they name.
TEST(SourcesTest, PolicyNamedByUnusedParameterChangesKeys) {
  EXPECT_TRUE(changes({"schedule.policy=round-robin"}, with_changed("greedy-oldest")));
}

TEST(SourcesTest, ChangedCoreChangesKeysOfEveryMachine) {
  Sources changed = sources();
  changed.core = "changed";
  EXPECT_TRUE(changes({}, changed));
  EXPECT_TRUE(changes({"schedule.policy=greedy-oldest"}, changed));
}

TEST(SourcesTest, PolicyOfAnyGroupChangesKeys) {
  gpu::Machine machine = gpu::load_machine("storage");
  machine.sm.schedule.policy = "round-robin";
  EXPECT_THAT(sources().version_of(machine), Not(HasSubstr("majority")));
  machine.groups.push_back({.name = "big", .sms = 1, .sm = machine.sm});
  machine.groups.back().sm.schedule.policy = "majority";
  EXPECT_THAT(sources().version_of(machine), HasSubstr("src/sm/schedule/majority.cpp:"));
}

TEST(SourcesTest, RecogniseCurrentVersions) {
  const gpu::Machine machine = gpu::load_machine("storage", {"schedule.policy=round-robin"});
  const std::string version = sources().version_of(machine);
  EXPECT_TRUE(sources().is_current(version));
  EXPECT_TRUE(with_changed("majority").is_current(version));
  EXPECT_FALSE(with_changed("round-robin").is_current(version));
  EXPECT_FALSE(sources().is_current(""));
  EXPECT_FALSE(sources().is_current(version + " "));
  EXPECT_FALSE(sources().is_current(std::string(64, '0')));
}

TEST(SourcesTest, HaveADigestOfAllSources) {
  EXPECT_EQ(sources().digest().size(), 64U);
  EXPECT_NE(sources().digest(), with_changed("majority").digest());
}

}  // namespace
}  // namespace heddle::lab
