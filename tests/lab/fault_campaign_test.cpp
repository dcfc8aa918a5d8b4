#include "lab/fault_campaign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

#include "base/error.h"
#include "gpu/sanitized.h"

namespace heddle::lab {
namespace {

using sm::FaultSite;

constexpr std::uint64_t kFaults = 100;
/// Why sanitizers do not run some tests.
constexpr const char* kSameCode = "other tests run the same code with fewer faults";

FaultCampaign campaign_of(const std::string& workload, const std::string& policy,
                          std::vector<FaultSite> sites) {
  FaultCampaign campaign{
      .workload = &workload::find_workload(workload),
      .machine = gpu::load_machine(
          "uniform", {"chip.sms=4", "redundancy.policy=" + policy, "redundancy.detect_errors=yes"}),
      .sites = std::move(sites),
      .faults = kFaults};
  campaign.compile = campaign.machine.compile_options();
  return campaign;
}

FaultCampaignResult run(const FaultCampaign& campaign) {
  return run_fault_campaign(campaign).value();
}

TEST(FaultCampaign, NoticesTheShareOfFaultsThatTheCountersClaim) {
  if (gpu::test::kSanitized) GTEST_SKIP() << kSameCode;
  for (const char* policy : {"token", "scalar-file"}) {
    SCOPED_TRACE(policy);
    const FaultCampaignResult result =
        run(campaign_of("matrix-multiply", policy, {FaultSite::lanes, FaultSite::registers}));
    for (const FaultsAtSite& site : result.sites) {
      SCOPED_TRACE(sm::kFaultSiteNames[site.site]);
      ASSERT_EQ(site.runs.size(), kFaults);
      const ShareInterval interval = wilson_interval(site.protected_count(), site.runs.size());
      ASSERT_TRUE(site.claimed);
      EXPECT_GE(*site.claimed, interval.low);
      EXPECT_LE(*site.claimed, interval.high);
      // The faults that nothing notices do harm: the check of the output finds it.
      EXPECT_GT(site.count(FaultOutcome::silent), 0);
      for (const FaultRun& run : site.runs) {
        EXPECT_EQ(run.outcome == FaultOutcome::failed, !run.error.empty());
      }
    }
    const FaultsAtSite& lanes = result.sites.front();
    EXPECT_GT(lanes.count(FaultOutcome::detected), 0);
    EXPECT_GT(lanes.count(FaultOutcome::avoided), 0);
    EXPECT_GT(result.sites.back().count(FaultOutcome::corrected), 0);
  }
}

TEST(FaultCampaign, FaultsInCopiesAndEntriesDoNoHarm) {
  if (gpu::test::kSanitized) GTEST_SKIP() << kSameCode;
  const FaultCampaignResult result =
      run(campaign_of("hotspot", "scalar-file", {FaultSite::scalars, FaultSite::entries}));
  for (const FaultsAtSite& site : result.sites) {
    SCOPED_TRACE(sm::kFaultSiteNames[site.site]);
    EXPECT_EQ(site.claimed, std::nullopt);
    EXPECT_GT(site.count(FaultOutcome::corrected), 0);
    EXPECT_GT(site.count(FaultOutcome::masked), 0);
    EXPECT_EQ(site.count(FaultOutcome::corrected) + site.count(FaultOutcome::masked), kFaults);
  }
}

/// Everything that a campaign says about its faults.
std::string text_of(const FaultCampaignResult& result) {
  std::string text;
  for (const FaultsAtSite& site : result.sites) {
    for (const FaultRun& run : site.runs) {
      for (const std::uint64_t number :
           {std::uint64_t{run.fault.sm}, run.fault.moment, std::uint64_t{run.fault.lane},
            std::uint64_t{run.fault.bit}, run.record.at.number, std::uint64_t{run.record.pc},
            std::uint64_t{run.record.number}}) {
        text += std::to_string(number) + " ";
      }
      text += std::string(kFaultOutcomeNames[run.outcome]) + run.error + "\n";
    }
  }
  return text;
}

TEST(FaultCampaign, IsExactOnAnyNumberOfThreadsAndFollowsItsSeed) {
  FaultCampaign campaign = campaign_of("reduction", "token", {FaultSite::registers});
  campaign.faults = 24;
  const std::string one = text_of(run(campaign));
  campaign.jobs = 3;
  EXPECT_EQ(text_of(run(campaign)), one);
  campaign.sites = {FaultSite::entries, FaultSite::registers};
  const FaultCampaignResult both = run(campaign);
  EXPECT_EQ(text_of({.sites = {both.sites.back()}}), one);
  campaign.sites = {FaultSite::registers};
  campaign.seed = 2;
  EXPECT_NE(text_of(run(campaign)), one);
}

TEST(FaultCampaign, SiteWithoutMomentsHasNoRuns) {
  FaultCampaign campaign = campaign_of("reduction", "token", {FaultSite::entries});
  campaign.machine.sm.redundancy.reuse_entries = 0;
  const FaultCampaignResult result = run(campaign);
  EXPECT_EQ(result.sites.front().moments, 0);
  EXPECT_TRUE(result.sites.front().runs.empty());
}

TEST(FaultCampaign, RefusesMachineWithoutErrorDetection) {
  FaultCampaign campaign = campaign_of("reduction", "token", {FaultSite::lanes});
  campaign.machine.sm.redundancy.detect_errors = false;
  EXPECT_THROW(run_fault_campaign(campaign), InputError);
}

TEST(FaultCampaign, StopsWhenItIsAskedTo) {
  FaultCampaign campaign = campaign_of("reduction", "token", {FaultSite::lanes});
  std::stop_source stop;
  campaign.stop = stop.get_token();
  campaign.progress = [&](std::uint64_t, std::uint64_t) { stop.request_stop(); };
  EXPECT_FALSE(run_fault_campaign(campaign).has_value());
}

// Reference: the formula, computed with Python.
TEST(WilsonInterval, HasKnownValues) {
  EXPECT_NEAR(wilson_interval(10, 100).low, 0.05522914, 1e-7);
  EXPECT_NEAR(wilson_interval(10, 100).high, 0.17436566, 1e-7);
  EXPECT_EQ(wilson_interval(0, 20).low, 0);
  EXPECT_NEAR(wilson_interval(0, 20).high, 0.16112516, 1e-7);
  EXPECT_NEAR(wilson_interval(20, 20).low, 0.83887484, 1e-7);
  EXPECT_EQ(wilson_interval(20, 20).high, 1);
}

}  // namespace
}  // namespace heddle::lab
