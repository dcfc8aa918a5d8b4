// Replacement policies of a machine's caches.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/error.h"
#include "gpu/line_loads.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// In sets of four ways, E evicts A under all three policies, and B hits. Then:
// lru: F evicts C, G evicts D, D evicts E, E evicts B.
// fifo: F evicts B, G evicts C. D and E are still there.
// pseudo-lru: F evicts C, G evicts E, D is still there, and E evicts B.
constexpr std::string_view kLines = "ABCDEBFGDE";
const std::map<std::string, std::uint64_t> kHits{{"lru", 1}, {"fifo", 3}, {"pseudo-lru", 2}};

TEST(CacheReplacement, SelectsPolicyOfL1) {
  for (const auto& [policy, hits] : kHits) {
    EXPECT_EQ(count_of_loads(kLines, {"l1.replacement.policy=" + policy}, "l1.hits"), hits)
        << policy;
  }
}

TEST(CacheReplacement, SelectsPolicyOfL2) {
  for (const auto& [policy, hits] : kHits) {
    const Settings settings{"l1.present=no", "l2.replacement.policy=" + policy};
    EXPECT_EQ(count_of_loads(kLines, settings, "l2.hits"), hits) << policy;
  }
}

TEST(CacheReplacement, RejectsPseudoLruWithoutPowerOfTwoOfWays) {
  for (const std::string cache : {"l1", "constant", "texture", "l2"}) {
    const Settings settings{cache + ".ways=6", cache + ".replacement.policy=pseudo-lru"};
    try {
      machine_of(settings);
      ADD_FAILURE() << "expected an error for " << cache;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(),
                  AllOf(HasSubstr(cache + ".replacement.policy"), HasSubstr(cache + ".ways is 6")));
    }
  }
}

TEST(CacheReplacement, DoesNotMatterForAbsentCache) {
  for (const std::string cache : {"l1", "l2"}) {
    EXPECT_NO_THROW(machine_of(
        {cache + ".present=no", cache + ".ways=6", cache + ".replacement.policy=pseudo-lru"}))
        << cache;
  }
}

TEST(CacheReplacement, RandomGivesSameRunForAnyNumberOfHostThreads) {
  const Machine machine =
      machine_of({"chip.sms=4", "l1.bytes=2K", "l1.replacement.policy=random", "l2.bytes=4K",
                  "l2.replacement.policy=random", "l2.replacement.seed=5"});
  const WorkloadOnChip first = run_on_chip(machine, "histogram");
  EXPECT_TRUE(first.result.check.passed());
  for (const std::uint32_t threads : {1U, 2U, 4U}) {
    const WorkloadOnChip again = run_on_chip(machine, "histogram", {.threads = threads});
    EXPECT_EQ(difference(first.runs, again.runs, first.counters), "") << threads;
  }
}

}  // namespace
}  // namespace heddle::gpu::test
