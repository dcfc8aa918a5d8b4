#include "lab/sources.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "gpu/dispatch/dispatcher.h"
#include "lab/run_key.h"
#include "memory/dram/dram_channel.h"
#include "memory/replacement/replacement.h"
#include "sm/branch/branch_unit.h"
#include "sm/dependence/dependence.h"
#include "sm/divergence/divergence.h"
#include "sm/lookahead/lookahead.h"
#include "sm/memory/prefetch/prefetcher.h"
#include "sm/operands/operands.h"
#include "sm/redundancy/redundancy.h"
#include "sm/residency/residency.h"
#include "sm/schedule/scheduler.h"
#include "sm/storage/storage.h"
#include "source_file.h"

namespace heddle::lab {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The sources after a change of the policy's file.
Sources sources_with_changed(std::string_view policy) {
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

/// Whether a change of sources changes the key of a run on a machine with these settings.
bool changes_key(const std::vector<std::string>& settings, const Sources& changed) {
  return key_of(settings, sources()) != key_of(settings, changed);
}

/// Checks that the file of every policy of a seam is known. `folder`: that of the seam.
template <class Registry>
void expect_contained(const std::string& folder) {
  const std::vector<PolicySource>& known = sources().policies;
  for (const std::string& name : Registry::names()) {
    const bool is_listed = std::any_of(known.begin(), known.end(), [&](const PolicySource& policy) {
      return policy.name == name && policy.file.starts_with("src/" + folder + "/");
    });
    // The files of these policies have headers, because other files use their code. They belong to
    // the core (all sources that are not files of policies).
    const bool is_in_core = folder + "/" + name == "memory/dram/fixed" || name == "fr-fcfs" ||
                            name == "commit-scoreboard";
    EXPECT_NE(is_listed, is_in_core) << folder << ": " << name;
  }
}

TEST(SourcesTest, ContainTheFileOfEveryRegisteredPolicy) {
  expect_contained<gpu::DispatcherRegistry>("gpu/dispatch");
  expect_contained<memory::DramRegistry>("memory/dram");
  expect_contained<memory::ReplacementRegistry>("memory/replacement");
  expect_contained<sm::BranchRegistry>("sm/branch");
  expect_contained<sm::DependenceRegistry>("sm/dependence");
  expect_contained<sm::DivergenceRegistry>("sm/divergence");
  expect_contained<sm::LookaheadRegistry>("sm/lookahead");
  expect_contained<sm::OperandsRegistry>("sm/operands");
  expect_contained<sm::PrefetchRegistry>("sm/memory/prefetch");
  expect_contained<sm::RedundancyRegistry>("sm/redundancy");
  expect_contained<sm::ResidencyRegistry>("sm/residency");
  expect_contained<sm::SchedulerRegistry>("sm/schedule");
  expect_contained<sm::StorageRegistry>("sm/storage");
  for (const PolicySource& policy : sources().policies) {
    EXPECT_TRUE(std::filesystem::exists(source_file(std::string(policy.file)))) << policy.file;
    EXPECT_EQ(policy.digest.size(), 64U);
  }
}

TEST(SourcesTest, ChangeKeysWithPolicyOfMachinesThatSelectIt) {
  const Sources changed = sources_with_changed("fetch-groups");
  EXPECT_TRUE(changes_key({"schedule.policy=fetch-groups"}, changed));
  EXPECT_FALSE(changes_key({"schedule.policy=round-robin"}, changed));
  EXPECT_TRUE(changes_key({"schedule.policy=round-robin"}, sources_with_changed("round-robin")));
  EXPECT_FALSE(
      changes_key({"schedule.policy=round-robin"}, sources_with_changed("dynamic-formation")));
  EXPECT_FALSE(changes_key({}, sources_with_changed("barrel")));
}

TEST(SourcesTest, ChangeKeysWithNestedPolicy) {
  const std::vector<std::string> two_levels{"schedule.policy=active-set",
                                            "schedule.inner=round-robin"};
  EXPECT_TRUE(changes_key(two_levels, sources_with_changed("active-set")));
  EXPECT_TRUE(changes_key(two_levels, sources_with_changed("round-robin")));
}

// Every machine has the parameters of all policies. A key thus covers the policies that these
// parameters name, used or not.
TEST(SourcesTest, ChangeKeysWithPolicyNamedByUnusedParameter) {
  EXPECT_TRUE(changes_key({"schedule.policy=round-robin"}, sources_with_changed("greedy-oldest")));
}

TEST(SourcesTest, ChangeKeysOfEveryMachineWithCore) {
  Sources changed = sources();
  changed.core = "changed";
  EXPECT_TRUE(changes_key({}, changed));
  EXPECT_TRUE(changes_key({"schedule.policy=greedy-oldest"}, changed));
}

TEST(SourcesTest, IncludePoliciesOfEveryGroup) {
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
  EXPECT_TRUE(sources_with_changed("majority").is_current(version));
  EXPECT_FALSE(sources_with_changed("round-robin").is_current(version));
  EXPECT_FALSE(sources().is_current(""));
  EXPECT_FALSE(sources().is_current(version + " "));
  EXPECT_FALSE(sources().is_current(std::string(64, '0')));
}

TEST(SourcesTest, HaveADigestOfAllSources) {
  EXPECT_EQ(sources().digest().size(), 64U);
  EXPECT_NE(sources().digest(), sources_with_changed("majority").digest());
}

}  // namespace
}  // namespace heddle::lab
